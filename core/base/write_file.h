#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace hloscope {

/// Writes a file as a whole: into a new file of the same folder, which then takes the place of the
/// old one. What fails or is killed on the way leaves the old file as it was. Devices, pipes and
/// what a symbolic link leads to are written in place. Error: kIo.
[[nodiscard]] Status write_file(const std::string& path, std::string_view bytes);

/// kIo: why the system does not let `path` be written, and what to do; `system_error` is an errno.
[[nodiscard]] Error cannot_write(const std::string& path, int system_error);

/// Tries to make a file beside `path`, and takes it away again: the errno of that, 0 if it works.
[[nodiscard]] int write_obstacle(const std::string& path);

/// Makes a folder and those above it. Error: as cannot_write().
[[nodiscard]] Status make_folder(const std::string& path);

/// The permissions that a new file gets.
[[nodiscard]] mode_t new_file_mode();

/// A name for mkstemp() or mkdtemp() in the folder of `path`: hidden, so that what is left by a
/// kill is not taken for a result.
[[nodiscard]] std::string temporary_beside(const std::string& path);

/// An output must not be one of the inputs. Error: kInvalidInput.
[[nodiscard]] Status check_output(const std::string& output, std::span<const std::string> inputs);

/// An output must have a name and, unless it `may_replace` what is there, one at which there is
/// nothing. Errors: kInvalidInput; kIo where it cannot be looked at (too long, links in a circle).
[[nodiscard]] Status check_new(const std::string& output, bool may_replace);
/// The same of a file: a folder is none that it could replace.
[[nodiscard]] Status check_new_file(const std::string& output, bool may_replace);

}  // namespace hloscope
