#pragma once

#include "core/predict/model_options.h"
#include "core/predict/pairing.h"
#include "core/predict/parameter_builder.h"

namespace hloscope::predict {

/// The first layer, f1 of arXiv 2008.01040: relu([embedding of the opcode, node features, static
/// features, configuration] W + b), where W is kept as a block for each part. The block of the
/// opcodes is multiplied with the embedding of all opcodes, which gives a table with a row for
/// each opcode. Joined at nodes, only a node that is configurable has a configuration, its own.
template <typename T>
class InputLayer {
 public:
  InputLayer(ParameterBuilder<T>& builder, const ModelOptions& options, const InputWidths& widths);

  /// [nodes x hidden], or with early join and join at nodes a row for each of the pairs.
  [[nodiscard]] nn::Var forward(const Pass<T>& pass, Pairing nodes) const;

 private:
  nn::Var join(const Pass<T>& pass, nn::Var x, Pairing nodes) const;

  ConfigurationJoin join_;
  nn::ParameterId embedding_;
  nn::ParameterId opcode_;
  Dense node_;
  nn::ParameterId static_;         // invalid where not used
  nn::ParameterId configuration_;  // invalid where not used
};

}  // namespace hloscope::predict
