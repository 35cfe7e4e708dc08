#include "db/training_session.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/staged_file.h"
#include "core/predict/train.h"
#include "db/example_choice.h"

namespace hloscope::db {
namespace {

using nlohmann::json;

// Empty: there is none, the training begins.
Result<std::optional<nn::SafeTensors>> read_checkpoint(const std::string& output) {
  std::error_code error;
  const std::string path = checkpoint_path(output);
  if (!std::filesystem::exists(path, error)) return std::optional<nn::SafeTensors>();
  return nn::read_safetensors(path);
}

Result<predict::TrainOptions> options_for(const TrainingOrder& order,
                                          const predict::ExampleSet& set) {
  predict::TrainOptions out;
  out.seed = order.seed;
  out.steps = order.steps;
  out.batch_nodes = order.batch_nodes;
  out.configurations = order.configurations;
  out.learning_rate = order.learning_rate;
  out.evaluate_every = order.evaluate_every;
  out.patience = order.patience;
  HLOSCOPE_ASSIGN(out.model, predict::preset(order.preset, set.info.task, set.has_estimates()));
  if (order.model_options.empty()) return out;
  HLOSCOPE_ASSIGN(out.model, predict::parse_model_options(order.model_options, out.model));
  return out;
}

TrainingStart start_of(const predict::ExampleSet& set, bool goes_on) {
  TrainingStart out;
  out.data_set = set.info.name;
  out.target = set.label();
  out.split = set.split;
  out.task = set.info.task;
  out.training = set.of(data::Part::kTrain).size();
  out.validation = set.of(data::Part::kValid).size();
  out.goes_on = goes_on;
  return out;
}

predict::TrainHooks hooks_for(const TrainingOrder& order, const TrainingHooks& hooks) {
  predict::TrainHooks out;
  out.progress = hooks.progress;
  out.evaluated = [&hooks](const predict::TrainPoint& point) {
    if (!hooks.evaluated) return;
    hooks.evaluated(
        {point.step, point.loss, std::string(point.metric), point.validation, point.is_best});
  };
  out.checkpoint = [&order](const nn::SafeTensors& content) {
    return nn::write_safetensors(checkpoint_path(order.output), content);
  };
  return out;
}

// Of a failure that the checkpoint is to blame for, the file is named.
Error about_checkpoint(Error error, const std::string& output) {
  const bool is_checkpoint = error.code == ErrorCode::kInvalidInput &&
                             error.message.find("checkpoint") != std::string::npos;
  if (is_checkpoint) error.file = checkpoint_path(output);
  return error;
}

Result<TrainingResult> saved(const std::string& output, const predict::StoredModel& stored) {
  HLOSCOPE_TRY(predict::save_model(output, stored));
  std::error_code ignored;
  std::filesystem::remove(checkpoint_path(output), ignored);
  TrainingResult out{output, stored.training};
  const json record = json::parse(stored.training, nullptr, false);
  if (record.is_object()) out.best_step = record.value("best_step", uint64_t{0});
  return out;
}

}  // namespace

std::string checkpoint_path(const std::string& output) {
  return output + ".part";
}

Result<TrainingResult> run_training(const TrainingOrder& order, const TrainingHooks& hooks) {
  HLOSCOPE_TRY(check_writable(order.output));
  HLOSCOPE_TRY(check_writable(checkpoint_path(order.output)));
  ThreadPool pool(order.threads);
  HLOSCOPE_ASSIGN(const predict::ExampleSet set,
                  read_examples(order.examples, pool, hooks.progress));
  HLOSCOPE_ASSIGN(const predict::TrainOptions options, options_for(order, set));
  HLOSCOPE_ASSIGN(const std::optional<nn::SafeTensors> resume, read_checkpoint(order.output));
  if (hooks.started) hooks.started(start_of(set, resume.has_value()));
  predict::TrainHooks train_hooks = hooks_for(order, hooks);
  if (resume) train_hooks.resume = &*resume;
  auto trained = predict::train(set, options, pool, train_hooks);
  if (!trained) return fail(about_checkpoint(std::move(trained).error(), order.output));
  return saved(order.output, *trained);
}

Result<TrainingResult> keep_best(const std::string& output) {
  HLOSCOPE_ASSIGN(const std::optional<nn::SafeTensors> checkpoint, read_checkpoint(output));
  if (!checkpoint) {
    return fail(ErrorCode::kNotFound, "there is no checkpoint of " + output,
                "the training was stopped before its first evaluation");
  }
  HLOSCOPE_ASSIGN(const predict::StoredModel stored, predict::model_from(*checkpoint));
  return saved(output, stored);
}

std::vector<std::string> training_presets() {
  std::vector<std::string> out;
  for (const std::string_view name : predict::preset_names()) out.emplace_back(name);
  return out;
}

}  // namespace hloscope::db
