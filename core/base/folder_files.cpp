#include "core/base/folder_files.h"

#include <algorithm>
#include <filesystem>

namespace hloscope {

namespace fs = std::filesystem;

Result<std::vector<std::string>> files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code code;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code);
  for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
    if (at->path().filename().native().starts_with('.')) {
      at.disable_recursion_pending();
      continue;
    }
    std::error_code not_there;
    if (at->is_regular_file(not_there)) files.push_back(at->path().string());
  }
  if (code) {
    Error error;
    error.code = ErrorCode::kIo;
    error.message = "can't list the folder (" + code.message() + ")";
    error.file = folder;
    return fail(std::move(error));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace hloscope
