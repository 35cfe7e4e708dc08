#include "app/cli/whole_number.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace hloscope::cli {

namespace {

template <typename Whole>
std::string whole_number_error(const std::string& text) {
  Whole value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_good = code == std::errc() && end == text.data() + text.size();
  using Limits = std::numeric_limits<Whole>;
  return is_good ? std::string()
                 : fmt::format("'{}' is no whole number from {} to {}", text, Limits::min(),
                               Limits::max());
}

// What is no number at all is refused by CLI11.
std::string finite_error(const std::string& text) {
  return std::isfinite(std::strtod(text.c_str(), nullptr))
             ? std::string()
             : fmt::format("'{}' is no finite number", text);
}

std::string empty_error(const std::string& text) {
  return text.empty() ? "the value is empty; leave the option out, or give it one" : std::string();
}

}  // namespace

CLI::Validator above_zero() {
  return {[](const std::string& text) {
            return std::strtod(text.c_str(), nullptr) > 0
                       ? std::string()
                       : fmt::format("'{}' is no number above 0", text);
          },
          ""};
}

CLI::Validator zero_or_above() {
  return {[](const std::string& text) {
            return std::strtod(text.c_str(), nullptr) >= 0
                       ? std::string()
                       : fmt::format("'{}' is no number of 0 or more", text);
          },
          ""};
}

void check_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    // transform() puts them before the ranges of the option.
    if (type.starts_with("UINT")) {
      option->transform(CLI::Validator(whole_number_error<uint64_t>, ""));
    } else if (type.starts_with("INT")) {
      option->transform(CLI::Validator(whole_number_error<int64_t>, ""));
    } else if (type.starts_with("FLOAT")) {
      option->transform(CLI::Validator(finite_error, ""));
    } else if (type.starts_with("TEXT") && !option->get_positional()) {
      option->transform(CLI::Validator(empty_error, ""));
    }
  }
  // Groups of options are among them.
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    check_values(*command);
  }
}

}  // namespace hloscope::cli
