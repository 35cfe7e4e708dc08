#include "core/nn/safetensors_header.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace hloscope::nn {

namespace {

constexpr size_t kMaxRank = 64;
constexpr std::string_view kMetadata = "__metadata__";

/// Where the parser stands; each state accepts few events and refuses all others.
enum class HeaderState { kStart, kNames, kTensor, kMetadata, kShape, kOffsets, kEnd };

/// Events of nlohmann's parser; each returns false to stop it, with error_ set.
class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return refuse("null"); }
  bool boolean(bool /*value*/) override { return refuse("a truth value"); }
  bool number_integer(number_integer_t /*value*/) override { return refuse("a negative number"); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
    return refuse("a number that is not whole");
  }
  bool binary(binary_t& /*value*/) override { return refuse("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (state_ == HeaderState::kShape) {
      if (entry_.shape.size() == kMaxRank) return stop("the shape has more than 64 dimensions");
      entry_.shape.push_back(value);
      return true;
    }
    if (state_ != HeaderState::kOffsets) return refuse("a number");
    if (offsets_ == 2) return stop("data_offsets has more than two numbers");
    entry_.data_offsets[offsets_++] = value;
    return true;
  }

  bool string(string_t& value) override {
    if (state_ == HeaderState::kMetadata) {
      header_.metadata[key_] = std::move(value);
      return true;
    }
    if (state_ != HeaderState::kTensor || key_ != "dtype") return refuse("a string");
    entry_.dtype = std::move(value);
    return true;
  }

  bool start_object(std::size_t /*size*/) override {
    if (state_ == HeaderState::kStart) {
      state_ = HeaderState::kNames;
    } else if (state_ == HeaderState::kNames) {
      state_ = name_ == kMetadata ? HeaderState::kMetadata : HeaderState::kTensor;
      entry_ = TensorEntry{name_, {}, {}, {}};
      keys_.clear();
    } else {
      return refuse("an object");
    }
    return true;
  }

  bool key(string_t& value) override {
    if (state_ == HeaderState::kNames) {
      if (!names_.insert(value).second) return stop_file("the name '" + value + "' is there twice");
      name_ = std::move(value);
      return true;
    }
    if (!keys_.insert(value).second) return stop("the key '" + value + "' is there twice");
    if (state_ == HeaderState::kTensor && value != "dtype" && value != "shape" &&
        value != "data_offsets") {
      return stop("unknown key '" + value + "'");
    }
    key_ = std::move(value);
    return true;
  }

  bool end_object() override {
    if (state_ == HeaderState::kNames) {
      state_ = HeaderState::kEnd;
      return true;
    }
    if (state_ == HeaderState::kTensor) {
      if (keys_.size() != 3) return stop("dtype, shape or data_offsets is missing");
      header_.tensors.push_back(std::move(entry_));
    }
    state_ = HeaderState::kNames;
    return true;
  }

  bool start_array(std::size_t /*size*/) override {
    if (state_ != HeaderState::kTensor || key_ == "dtype") return refuse("an array");
    state_ = key_ == "shape" ? HeaderState::kShape : HeaderState::kOffsets;
    offsets_ = 0;
    return true;
  }

  bool end_array() override {
    if (state_ == HeaderState::kOffsets && offsets_ != 2)
      return stop("data_offsets needs two numbers");
    state_ = HeaderState::kTensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return stop_file(fmt::format("the header is no JSON at its byte {}", position));
  }

  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }
  SafeTensorsHeader take() { return std::move(header_); }

 private:
  bool stop_file(std::string message) {
    error_ = std::move(message);
    return false;
  }
  // Of the tensor, or of the metadata, that is being read.
  bool stop(const std::string& message) {
    return stop_file(state_ == HeaderState::kMetadata
                         ? fmt::format("{}: {}", kMetadata, message)
                         : fmt::format("tensor '{}': {}", name_, message));
  }
  bool refuse(std::string_view what) {
    switch (state_) {
      case HeaderState::kStart:
      case HeaderState::kEnd:
        return stop_file("the header is no JSON object");
      case HeaderState::kNames:
        return stop(fmt::format("{} stands for the description", what));
      default:
        return stop(fmt::format("{} is wrong for {}", what, key_));
    }
  }

  SafeTensorsHeader header_;
  HeaderState state_ = HeaderState::kStart;
  TensorEntry entry_;
  size_t offsets_ = 0;
  std::string name_;
  std::string key_;
  std::set<std::string> names_;
  std::set<std::string> keys_;
  std::optional<std::string> error_;
};

}  // namespace

Result<SafeTensorsHeader> parse_safetensors_header(std::string_view json) {
  Handler handler;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &handler)) {
    return fail(ErrorCode::kInvalidInput,
                handler.error().value_or("the header of the file is damaged"));
  }
  return handler.take();
}

}  // namespace hloscope::nn
