#include "ui/pages/tune/trial_export.h"

#include <fmt/format.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

namespace hloscope::ui {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string numberText(double value) {
  return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

QJsonValue jsonNumber(double value) {
  return std::isnan(value) ? QJsonValue() : QJsonValue(value);
}

std::string errorOf(const TrialColumns& trials, uint32_t trial) {
  const auto error = trials.errors.find(trial);
  return error == trials.errors.end() ? std::string() : error->second;
}

std::string csv(const TrialColumns& trials) {
  std::string text =
      "trial,configuration,predicted_ns,hardware_ns,measured_as,booked_ns,accepted,temperature,"
      "at_s,error\n";
  for (uint32_t i = 0; i < trials.size(); ++i) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", i, quoted(trials.config[i]),
                        numberText(trials.predicted_ns[i]), numberText(trials.hardware_ns[i]),
                        trials.measured_as[i], numberText(trials.booked_ns[i]), trials.accepted[i],
                        numberText(trials.temperature[i]), numberText(trials.at_s[i]),
                        quoted(errorOf(trials, i)));
  }
  return text;
}

std::string json(const TrialColumns& trials) {
  QJsonArray rows;
  for (uint32_t i = 0; i < trials.size(); ++i) {
    rows.append(QJsonObject{{"trial", static_cast<qint64>(i)},
                            {"configuration", QString::fromStdString(trials.config[i])},
                            {"predicted_ns", jsonNumber(trials.predicted_ns[i])},
                            {"hardware_ns", jsonNumber(trials.hardware_ns[i])},
                            {"measured_as", static_cast<qint64>(trials.measured_as[i])},
                            {"booked_ns", jsonNumber(trials.booked_ns[i])},
                            {"accepted", trials.accepted[i] != 0},
                            {"temperature", jsonNumber(trials.temperature[i])},
                            {"at_s", jsonNumber(trials.at_s[i])},
                            {"error", QString::fromStdString(errorOf(trials, i))}});
  }
  return QJsonDocument(rows).toJson(QJsonDocument::Indented).toStdString();
}

}  // namespace

std::string exportText(const TrialColumns& trials, ExportFormat format) {
  return format == ExportFormat::kCsv ? csv(trials) : json(trials);
}

}  // namespace hloscope::ui
