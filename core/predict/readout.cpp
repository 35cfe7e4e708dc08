#include "core/predict/readout.h"

namespace hloscope::predict {

template <typename T>
ReadoutLayer<T>::ReadoutLayer(ParameterBuilder<T>& builder, const ModelOptions& options)
    : kind_(options.readout), hidden_(options.hidden_width), heads_(options.heads) {
  if (kind_ == Readout::kLstm) {
    lstm_ = builder.dense("readout.lstm", hidden_, 4 * hidden_);
    recurrent_ = builder.weight("readout.lstm.recurrent", hidden_, 4 * hidden_);
    // The cell forgets little at first (Jozefowicz et al., ICML 2015).
    const auto h = static_cast<Eigen::Index>(hidden_);
    builder.parameters().value(lstm_.bias).middleCols(h, h).setOnes();
  }
  if (kind_ == Readout::kTransformer) {
    for (size_t i = 0; i < options.readout_layers; ++i) {
      encoder_.push_back(
          add_encoder_layer(builder, "readout.encoder." + std::to_string(i), hidden_));
    }
    last_norm_ = add_norm(builder, "readout.norm", hidden_);
  }
}

template <typename T>
typename ReadoutLayer<T>::Norm ReadoutLayer<T>::add_norm(ParameterBuilder<T>& builder,
                                                         const std::string& name, size_t width) {
  const nn::ParameterId gain = builder.filled(name + ".gain", width, T(1));
  return {gain, builder.filled(name + ".shift", width, T(0))};
}

template <typename T>
typename ReadoutLayer<T>::EncoderLayer ReadoutLayer<T>::add_encoder_layer(
    ParameterBuilder<T>& builder, const std::string& name, size_t width) {
  EncoderLayer layer;
  layer.before_attention = add_norm(builder, name + ".norm1", width);
  layer.query = builder.dense(name + ".query", width, width);
  layer.key = builder.dense(name + ".key", width, width);
  layer.value = builder.dense(name + ".value", width, width);
  layer.out = builder.dense(name + ".out", width, width);
  layer.before_wide = add_norm(builder, name + ".norm2", width);
  layer.wide = builder.dense(name + ".wide", width, 2 * width);
  layer.narrow = builder.dense(name + ".narrow", 2 * width, width);
  return layer;
}

template <typename T>
size_t ReadoutLayer<T>::width() const {
  if (kind_ == Readout::kNone) return 0;
  const bool columnwise = kind_ == Readout::kColumnwise || kind_ == Readout::kTransformer;
  return columnwise ? 3 * hidden_ : hidden_;
}

template <typename T>
nn::Var ReadoutLayer<T>::norm(nn::Tape<T>& tape, nn::Var x, Norm n) const {
  return nn::layer_norm(tape, x, tape.parameter(n.gain), tape.parameter(n.shift));
}

template <typename T>
nn::Var ReadoutLayer<T>::encode(const Pass<T>& pass, nn::Var x, const EncoderLayer& layer,
                                nn::Segments groups) const {
  nn::Tape<T>& tape = pass.tape;
  const nn::Var n = norm(tape, x, layer.before_attention);
  const nn::QueryKeyValue in{dense(tape, n, layer.query), dense(tape, n, layer.key),
                             dense(tape, n, layer.value)};
  const nn::Var heard = dense(tape, nn::attention(tape, in, groups, heads_), layer.out);
  x = nn::add(tape, x, pass.regularise(heard));
  const nn::Var wide = dense(tape, norm(tape, x, layer.before_wide), layer.wide);
  const nn::Var thought = dense(tape, nn::gelu(tape, wide), layer.narrow);
  return nn::add(tape, x, pass.regularise(thought));
}

template <typename T>
nn::Var ReadoutLayer<T>::forward(const Pass<T>& pass, nn::Var x, nn::Segments groups) const {
  nn::Tape<T>& tape = pass.tape;
  if (kind_ == Readout::kPerNode) return x;
  if (kind_ == Readout::kLstm) {
    const nn::Var gates = dense(tape, x, lstm_);
    return nn::last_rows(tape, nn::lstm(tape, gates, tape.parameter(recurrent_), groups), groups);
  }
  for (const EncoderLayer& layer : encoder_) x = encode(pass, x, layer, groups);
  if (kind_ == Readout::kTransformer) x = norm(tape, x, last_norm_);
  return nn::segment_summary(tape, x, groups);
}

template class ReadoutLayer<float>;
template class ReadoutLayer<double>;

}  // namespace hloscope::predict
