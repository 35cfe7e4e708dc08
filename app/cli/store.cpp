#include "app/cli/store.h"

#include <cstdio>

#include "app/cli/load.h"
#include "db/store.h"

namespace hloscope::cli {

bool store_if_asked(const std::string& path, const analysis::ModuleReport& report) {
  if (path.empty()) return true;
  Result<db::Database> database = db::Database::open(path);
  if (!database) {
    print_error(database.error());
    return false;
  }
  // Of a file that cannot be written the notice is the error that follows.
  if (!database->notice().empty() && !database->read_only()) {
    std::fprintf(stderr, "%s\n", database->notice().c_str());
  }
  const auto runs = db::store_report(*database, report);
  if (!runs) print_error(runs.error());
  return runs.has_value();
}

}  // namespace hloscope::cli
