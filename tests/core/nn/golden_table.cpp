#include "tests/core/nn/golden_table.h"

#include <QFile>
#include <sstream>

namespace hloscope::testing {

std::map<std::string, std::vector<double>> read_golden() {
  std::map<std::string, std::vector<double>> golden;
  QFile file(QStringLiteral(HLOSCOPE_SOURCE_DIR "/tests/core/nn/torch_golden.txt"));
  if (!file.open(QIODevice::ReadOnly)) return golden;
  std::istringstream lines(file.readAll().toStdString());
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    std::vector<double>& numbers = golden[name];
    for (double number = 0; words >> number;) numbers.push_back(number);
  }
  return golden;
}

}  // namespace hloscope::testing
