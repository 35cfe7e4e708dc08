#include "tests/support/golden_table.h"

#include <fstream>
#include <sstream>

namespace hloscope::testing {

std::map<std::string, std::vector<double>> read_golden(const std::string& path) {
  std::map<std::string, std::vector<double>> golden;
  std::ifstream lines(path);
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
