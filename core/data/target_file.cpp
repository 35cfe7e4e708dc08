#include "core/data/target_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/file_bytes.h"
#include "core/base/write_file.h"

namespace hloscope::data {

namespace {

using Json = nlohmann::ordered_json;

std::optional<std::string> text_at(const Json& json, const char* key) {
  const auto at = json.find(key);
  if (at == json.end() || !at->is_string()) return std::nullopt;
  return at->get<std::string>();
}

std::optional<Target> target_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto kind = find_target_kind(text_at(json, "kind").value_or(""));
  const auto device = text_at(json, "device");
  const auto source_hash = text_at(json, "source_hash");
  const auto noise = json.find("noise");
  const auto repeats = json.find("repeats");
  if (!kind || !device || !source_hash || noise == json.end() || !noise->is_number() ||
      repeats == json.end() || !repeats->is_number_integer()) {
    return std::nullopt;
  }
  Target out{*kind, *device, *source_hash, noise->get<double>(), repeats->get<int64_t>()};
  if (!(out.noise >= 0) || out.repeats < 1) return std::nullopt;
  return out;
}

}  // namespace

Status write_target_file(const std::filesystem::path& folder, const Target& target) {
  const Json json = {{"kind", name(target.kind)},         {"device", target.device},
                     {"source_hash", target.source_hash}, {"noise", target.noise},
                     {"repeats", target.repeats},         {"label", target.label()}};
  return write_file((folder / kTargetFile).string(),
                    json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<std::optional<Target>> target_beside(const std::filesystem::path& file) {
  std::error_code code;
  const std::filesystem::path absolute = std::filesystem::absolute(file, code);
  const std::filesystem::path path =
      (code ? file : absolute).parent_path().parent_path() / kTargetFile;
  auto bytes = read_file_bytes(path.string());
  if (!bytes) {
    if (bytes.error().code == ErrorCode::kNotFound) return std::nullopt;
    return fail(std::move(bytes).error());
  }
  std::optional<Target> out = target_of(Json::parse(*bytes, nullptr, false));
  if (out) return out;
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.file = path.string();
  error.message = "does not say where the times of the files below come from";
  error.hint =
      "'dataset export' writes it: export once more, or remove it where the times are "
      "measured";
  return fail(std::move(error));
}

}  // namespace hloscope::data
