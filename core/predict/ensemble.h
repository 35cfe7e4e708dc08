#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/predict/learned.h"
#include "core/predict/weights_file.h"

namespace hloscope::predict {

/// Trained models that predict together: of one task and one table of features, most often the same
/// training with other seeds. Where they differ, none of them knows.
class Ensemble {
 public:
  struct Member {
    std::string file;  ///< Path, or name of a built-in file.
    Hash128 hash;      ///< Of its bytes.
    StoredModel stored;
    Normaliser normaliser;

    [[nodiscard]] LearnedModel learned() const { return {stored.model, normaliser}; }
  };

  /// Errors: those of nn::read_safetensors() and model_from(), with the file; kInvalidInput for no
  /// file, and for one that does not fit the first.
  [[nodiscard]] static Result<Ensemble> load(std::span<const std::string> files);
  /// The built-in files NAME-1, NAME-2 ... Error: kNotFound, with the names there are.
  [[nodiscard]] static Result<Ensemble> builtin(std::string_view name);
  /// builtin() for a single name of one, else load().
  [[nodiscard]] static Result<Ensemble> find(std::span<const std::string> names);

  [[nodiscard]] const std::string& name() const { return name_; }  ///< "tpu_v3_fusion", "a, b".
  [[nodiscard]] const Hash128& hash() const { return hash_; }      ///< Of all files.
  [[nodiscard]] std::string label() const;                         ///< "tpu_v3_fusion@4f1c09ab".
  [[nodiscard]] std::span<const Member> members() const { return members_; }
  [[nodiscard]] const Member& first() const { return members_.front(); }
  [[nodiscard]] data::Task task() const;      ///< kTile or kFusion.
  [[nodiscard]] bool with_extras() const;     ///< Takes feature group kExtra too.
  [[nodiscard]] bool with_estimates() const;  ///< Takes features of the analytical model.
  /// The machine that times were learned of, "tpu_v3"; empty where the record does not tell.
  [[nodiscard]] std::string machine_id() const;
  /// "simulated (tpu_v3@4f1c09ab)"; empty where the record does not tell.
  [[nodiscard]] std::string trained_on() const;
  /// What the spread of predicted times is made with: the members' deviation as it is where the
  /// files hold none.
  [[nodiscard]] const SpreadFit& spread() const;
  /// Null where no file tells.
  [[nodiscard]] const Novelty* novelty() const;

 private:
  static Result<Member> member(std::string file, std::string_view bytes);
  [[nodiscard]] std::string misfit(const Member& member) const;
  Status add(Member member);

  std::string name_;
  Hash128 hash_;
  std::vector<Member> members_;
};

/// Names of the ensembles that are built in, sorted.
[[nodiscard]] std::vector<std::string> builtin_ensembles();
/// The built-in ensemble of that machine for that task, read once; null where there is none.
[[nodiscard]] Result<std::shared_ptr<const Ensemble>> builtin_for(std::string_view machine_id,
                                                                  data::Task task);

/// What the members say of an example, by sample.
struct EnsembleScores {
  /// Of task fusion the mean of log(time in ns). Of task tile the mean of the members' scores, each
  /// brought to mean 0 and deviation 1 over the samples, as only their order means something.
  std::vector<double> mean;
  std::vector<double> deviation;  ///< Of the members (n - 1); 0 with one.
};
/// By position in `examples`. Errors: those of predict_learned().
[[nodiscard]] Result<std::vector<EnsembleScores>> predict_ensemble(
    const ExampleSet& set, std::span<const uint32_t> examples, const Ensemble& ensemble,
    ThreadPool& pool, const Progress& progress = {});

}  // namespace hloscope::predict
