#include "core/hlo/rhs.h"

namespace hloscope::hlo {

void AttributeList::clear() {
  items.clear();
  places.clear();
  seen = AttrSet();
  index = -1;
}

void AttributeList::add(const Attribute& attribute, const char* place) {
  items.push_back(attribute);
  places.push_back(place);
}

const Attribute* AttributeList::find(AttrKey key) const {
  if (!seen.has(key)) return nullptr;
  for (const Attribute& attribute : items) {
    if (attribute.key() == key) return &attribute;
  }
  return nullptr;
}

const char* AttributeList::place_of(AttrKey key, const char* absent) const {
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].key() == key) return places[i];
  }
  return absent;
}

void Rhs::clear(const char* where) {
  begin = where;
  end = where;
  opcode_place = where;
  opcode_text = {};
  opcode = Opcode::kParameter;
  sugar = AsyncSugar::kNone;
  has_shape = false;
  shape = {};
  number = -1;
  literal = ~0U;
  operands.clear();
  attributes.clear();
}

}  // namespace hloscope::hlo
