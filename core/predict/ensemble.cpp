#include "core/predict/ensemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/base/file_bytes.h"
#include "core/base/hash_label.h"
#include "core/predict/builtin_models.h"

namespace hloscope::predict {

namespace {

using Json = nlohmann::ordered_json;

// "tpu_v3_fusion-2" -> "tpu_v3_fusion".
std::string_view ensemble_of(std::string_view file) {
  return file.substr(0, file.rfind('-'));
}

std::string record_text(const StoredModel& stored, const char* key) {
  const Json record = Json::parse(stored.training, nullptr, false);
  const auto at = record.find(key);
  return at != record.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::string file_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

Hash128 hash_of(std::span<const Ensemble::Member> members) {
  if (members.size() == 1) return members.front().hash;
  Hasher hasher;
  for (const Ensemble::Member& member : members) hasher.add(member.hash.high).add(member.hash.low);
  return hasher.digest();
}

// To mean 0 and deviation 1; all alike: to 0.
void standardise(std::vector<double>& scores) {
  const auto count = static_cast<double>(scores.size());
  double mean = 0;
  for (const double score : scores) mean += score / count;
  double variance = 0;
  for (double& score : scores) {
    score -= mean;
    variance += score * score / count;
  }
  const double factor = variance > 0 ? 1 / std::sqrt(variance) : 0;
  for (double& score : scores) score *= factor;
}

// Scores of one member on the samples of an example, as the members can be compared.
void as_compared(std::vector<double>& scores, data::Task task) {
  if (task == data::Task::kTile) return standardise(scores);
  for (double& score : scores) score = std::log(score);
}

// `of_members`: scores by member, then sample.
EnsembleScores joined(const std::vector<std::vector<double>>& of_members) {
  const auto count = static_cast<double>(of_members.size());
  EnsembleScores out;
  for (size_t s = 0; s < of_members.front().size(); ++s) {
    double mean = 0;
    for (const auto& scores : of_members) mean += scores[s] / count;
    double squares = 0;
    for (const auto& scores : of_members) squares += (scores[s] - mean) * (scores[s] - mean);
    out.mean.push_back(mean);
    out.deviation.push_back(count > 1 ? std::sqrt(squares / (count - 1)) : 0);
  }
  return out;
}

}  // namespace

Result<Ensemble::Member> Ensemble::member(std::string file, std::string_view bytes) {
  const auto read = [&]() -> Result<Member> {
    HLOSCOPE_ASSIGN(const nn::SafeTensors content, nn::parse_safetensors(bytes));
    HLOSCOPE_ASSIGN(StoredModel stored, model_from(content));
    HLOSCOPE_ASSIGN(Normaliser normaliser, Normaliser::from_json(stored.normaliser));
    if (normaliser.task() == data::Task::kLayout) {
      return fail(ErrorCode::kUnsupported,
                  "the model ranks layouts of whole programs and says nothing of kernels",
                  "evaluate it with a data set of task layout");
    }
    HLOSCOPE_TRY(check_normaliser({stored.model, normaliser}));
    return Member{file, hash128(bytes), std::move(stored), std::move(normaliser)};
  };
  auto out = read();
  if (out) return out;
  Error error = std::move(out).error();
  error.file = file;
  return fail(std::move(error));
}

// Empty: they can predict together.
std::string Ensemble::misfit(const Member& member) const {
  if (member.normaliser.task() != task()) {
    return "one is for tiles, the other for times of kernels";
  }
  if (member.normaliser.node.width != first().normaliser.node.width) {
    return "it takes other features of nodes";
  }
  for (const char* key : {"machine", "target"}) {
    if (record_text(member.stored, key) != record_text(first().stored, key)) {
      return "it learned from times of something else";
    }
  }
  const bool is_here =
      std::ranges::any_of(members_, [&](const Member& other) { return other.hash == member.hash; });
  return is_here ? "it is the same model, given twice" : "";
}

Status Ensemble::add(Member member) {
  const std::string reason = members_.empty() ? "" : misfit(member);
  if (!reason.empty()) {
    Error error;
    error.code = ErrorCode::kInvalidInput;
    error.file = member.file;
    error.message = fmt::format("the model does not fit {}: {}", first().file, reason);
    error.hint = "models that predict together are trained alike, with other seeds";
    return fail(std::move(error));
  }
  members_.push_back(std::move(member));
  hash_ = hash_of(members_);
  return {};
}

Result<Ensemble> Ensemble::load(std::span<const std::string> files) {
  Ensemble out;
  for (const std::string& file : files) {
    HLOSCOPE_ASSIGN(const std::string bytes, read_file_bytes(file));
    HLOSCOPE_ASSIGN(Member one, member(file, bytes));
    HLOSCOPE_TRY(out.add(std::move(one)));
    out.name_ += (out.name_.empty() ? "" : ", ") + file_name(file);
  }
  if (!out.members_.empty()) return out;
  return fail(ErrorCode::kInvalidInput, "no model is given", "name one, or .safetensors files");
}

Result<Ensemble> Ensemble::builtin(std::string_view name) {
  Ensemble out;
  out.name_ = name;
  for (const BuiltinModel& file : builtin_model_files()) {
    if (ensemble_of(file.name) != name) continue;
    HLOSCOPE_ASSIGN(Member one, member(std::string(file.name), file.bytes));
    HLOSCOPE_TRY(out.add(std::move(one)));
  }
  if (!out.members_.empty()) return out;
  const std::vector<std::string> names = builtin_ensembles();
  return fail(ErrorCode::kNotFound, fmt::format("no built-in model is called '{}'", name),
              names.empty() ? "this program was built without models; give .safetensors files"
                            : fmt::format("there are {}", fmt::join(names, ", ")));
}

Result<Ensemble> Ensemble::find(std::span<const std::string> names) {
  if (names.size() != 1) return load(names);
  const std::vector<std::string> known = builtin_ensembles();
  const bool is_name = names.front().find_first_of("./") == std::string::npos;
  if (is_name || std::ranges::find(known, names.front()) != known.end()) {
    return builtin(names.front());
  }
  return load(names);
}

data::Task Ensemble::task() const {
  return first().normaliser.task();
}

bool Ensemble::with_extras() const {
  return first().normaliser.node.width != node_columns(false).empty.size();
}

bool Ensemble::with_estimates() const {
  return std::ranges::any_of(members_, [](const Member& member) {
    return member.stored.model.options().analytical != Analytical::kOff;
  });
}

std::string Ensemble::machine_id() const {
  const std::string machine = record_text(first().stored, "machine");
  return machine.substr(0, machine.find('@'));
}

std::string Ensemble::trained_on() const {
  return record_text(first().stored, "target");
}

std::string Ensemble::label() const {
  return hash_label(name_, hash_);
}

const SpreadFit& Ensemble::spread() const {
  static const SpreadFit kNone;
  return first().stored.spread ? *first().stored.spread : kNone;
}

const Novelty* Ensemble::novelty() const {
  return first().stored.novelty ? &*first().stored.novelty : nullptr;
}

std::vector<std::string> builtin_ensembles() {
  std::vector<std::string> out;
  for (const BuiltinModel& file : builtin_model_files()) {
    out.emplace_back(ensemble_of(file.name));
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<std::shared_ptr<const Ensemble>> builtin_for(std::string_view machine_id, data::Task task) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Ensemble>, std::less<>> known;
  const std::string name = fmt::format("{}_{}", machine_id, data::name(task));
  const std::lock_guard lock(mutex);
  if (const auto at = known.find(name); at != known.end()) return at->second;
  std::shared_ptr<const Ensemble> out;
  if (const auto names = builtin_ensembles(); std::ranges::find(names, name) != names.end()) {
    HLOSCOPE_ASSIGN(Ensemble ensemble, Ensemble::builtin(name));
    out = std::make_shared<const Ensemble>(std::move(ensemble));
  }
  known.emplace(name, out);
  return out;
}

Result<std::vector<EnsembleScores>> predict_ensemble(const ExampleSet& set,
                                                     std::span<const uint32_t> examples,
                                                     const Ensemble& ensemble, ThreadPool& pool,
                                                     const Progress& progress) {
  std::vector<LearnedModel> models;
  for (const Ensemble::Member& member : ensemble.members()) models.push_back(member.learned());
  HLOSCOPE_ASSIGN(std::vector<Predictions> predictions,
                  predict_all_learned(set, examples, models, pool, progress));
  std::vector<EnsembleScores> out;
  out.reserve(examples.size());
  for (size_t i = 0; i < examples.size(); ++i) {
    std::vector<std::vector<double>> of_members;
    for (Predictions& of_member : predictions) {
      of_members.push_back(std::move(of_member.scores[i]));
      as_compared(of_members.back(), ensemble.task());
    }
    out.push_back(joined(of_members));
  }
  return out;
}

}  // namespace hloscope::predict
