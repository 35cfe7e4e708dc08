#include "db/session_owner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <system_error>

#include <filesystem>

namespace hloscope::db {
namespace {

struct ProcessState {
  char state = 'X';  ///< As proc(5) says it.
  int64_t start = 0;
};

/// Of a process that is not there: dead.
ProcessState process_state(int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  ProcessState out;
  // The name of the program may hold blanks and parentheses.
  const size_t end_of_name = line.rfind(')');
  if (end_of_name == std::string::npos) return out;
  std::istringstream fields(line.substr(end_of_name + 1));
  fields >> out.state;
  constexpr int kFieldsUpToStart = 18;
  std::string skipped;
  for (int i = 0; i < kFieldsUpToStart; ++i) fields >> skipped;
  fields >> out.start;
  return out;
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string this_place() {
  std::error_code ignored;
  return first_line("/proc/sys/kernel/random/boot_id") + " " +
         std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
}

}  // namespace

SessionOwner this_process() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const int64_t pid = getpid();
  return {pid, process_state(pid).start, host.data(), this_place()};
}

Liveness liveness(const SessionOwner& owner) {
  if (owner.place != this_place()) return Liveness::kElsewhere;
  const ProcessState process = process_state(owner.pid);
  // A zombie was killed: nobody has asked for its exit code yet.
  const bool is_dead = process.state == 'X' || process.state == 'Z';
  return is_dead || process.start != owner.start ? Liveness::kGone : Liveness::kAlive;
}

}  // namespace hloscope::db
