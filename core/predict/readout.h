#pragma once

#include <vector>

#include "core/predict/model_options.h"
#include "core/predict/parameter_builder.h"

namespace hloscope::predict {

/// Makes one row for each group of rows of nodes: the embedding of a kernel. The layers of the
/// Transformer are x + attention(norm(x)), then x + W2 gelu(W1 norm(x)) of twice the width, and a
/// norm at the end (arXiv 2002.04745). Readout::kPerNode leaves the rows as they are: its sum is
/// taken behind the head.
template <typename T>
class ReadoutLayer {
 public:
  ReadoutLayer(ParameterBuilder<T>& builder, const ModelOptions& options);

  /// [rows x hidden] -> [groups x width()]; kPerNode: [rows x width()].
  [[nodiscard]] nn::Var forward(const Pass<T>& pass, nn::Var x, nn::Segments groups) const;
  [[nodiscard]] size_t width() const;

 private:
  struct Norm {
    nn::ParameterId gain;
    nn::ParameterId shift;
  };
  struct EncoderLayer {
    Norm before_attention;
    Dense query, key, value, out;
    Norm before_wide;
    Dense wide, narrow;
  };
  static Norm add_norm(ParameterBuilder<T>& builder, const std::string& name, size_t width);
  static EncoderLayer add_encoder_layer(ParameterBuilder<T>& builder, const std::string& name,
                                        size_t width);
  nn::Var norm(nn::Tape<T>& tape, nn::Var x, Norm n) const;
  nn::Var encode(const Pass<T>& pass, nn::Var x, const EncoderLayer& layer,
                 nn::Segments groups) const;

  Readout kind_;
  size_t hidden_;
  size_t heads_;
  Dense lstm_;
  nn::ParameterId recurrent_;
  std::vector<EncoderLayer> encoder_;
  Norm last_norm_;
};

}  // namespace hloscope::predict
