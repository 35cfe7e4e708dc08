#include "core/hlo/attribute.h"

#include <array>
#include <unordered_map>

namespace hloscope::hlo {

namespace {

struct AttributeInfo {
  std::string_view name;
  AttrKind kind;
};

using enum AttrKind;

constexpr AttributeInfo kTable[] = {
    {"", kRaw},
#define HLOSCOPE_ATTRIBUTE(id, name, kind) {name, kind},
#include "core/hlo/attributes.def"
#undef HLOSCOPE_ATTRIBUTE
};

}  // namespace

std::string_view name(AttrKey key) {
  return kTable[static_cast<size_t>(key)].name;
}
AttrKind kind(AttrKey key) {
  return kTable[static_cast<size_t>(key)].kind;
}

std::optional<AttrKey> attribute_by_name(std::string_view name) {
  static const auto* const kByName = [] {
    auto* map = new std::unordered_map<std::string_view, AttrKey>();
    for (size_t i = 1; i < std::size(kTable); ++i) {
      map->emplace(kTable[i].name, static_cast<AttrKey>(i));
    }
    return map;
  }();
  const auto found = kByName->find(name);
  if (found == kByName->end()) return std::nullopt;
  return found->second;
}

}  // namespace hloscope::hlo
