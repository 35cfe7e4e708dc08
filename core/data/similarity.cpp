#include "core/data/similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace hloscope::data {

namespace {

struct Entry {
  uint32_t term = 0;
  double value = 0;
};
using Profile = std::vector<Entry>;  // By ascending term, of length 1.

// The number of each name: in the order of their text, so that sums over them are the same in
// whatever order the graphs come.
std::vector<uint32_t> text_order(const StringTable& names) {
  std::vector<StringId> order;
  for (size_t i = 0; i < names.size(); ++i) order.emplace_back(i);
  std::ranges::sort(order, {}, [&names](StringId id) { return names[id]; });
  std::vector<uint32_t> out(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) out[order[i].value] = i;
  return out;
}

// Counts of the terms of each program.
std::vector<Profile> term_counts(size_t programs, const GraphKinds& kinds,
                                 std::span<const Meeting> meetings) {
  const std::vector<uint32_t> numbers = text_order(kinds.names());
  std::vector<std::map<uint32_t, double>> counts(programs);
  for (const Meeting& meeting : meetings) {
    for (const GraphKinds::Term& term : kinds.terms(meeting.graph)) {
      counts[meeting.program][numbers[term.name.value]] += term.count;
    }
  }
  std::vector<Profile> out(programs);
  for (size_t i = 0; i < programs; ++i) {
    for (const auto& [term, count] : counts[i]) out[i].push_back({term, count});
  }
  return out;
}

void weigh(std::vector<Profile>& profiles, size_t term_count) {
  std::vector<double> programs_with(term_count, 0);
  for (const Profile& profile : profiles) {
    for (const Entry& entry : profile) programs_with[entry.term] += 1;
  }
  const double all = static_cast<double>(profiles.size());
  for (Profile& profile : profiles) {
    double squares = 0;
    for (Entry& entry : profile) {
      const double rarity = 1 + std::log((1 + all) / (1 + programs_with[entry.term]));
      entry.value = std::log1p(entry.value) * rarity;
      squares += entry.value * entry.value;
    }
    for (Entry& entry : profile) entry.value /= std::sqrt(squares);
  }
}

// `dense` has the value of every term of one program: 0 for those it has not.
double product(const std::vector<double>& dense, const Profile& other) {
  double sum = 0;
  for (const Entry& entry : other) sum += dense[entry.term] * entry.value;
  return std::min(sum, 1.0);
}

}  // namespace

void GraphKinds::add(std::string_view op_class, std::string_view label) {
  const std::string_view opcode = label.substr(0, label.find(' '));
  for (const std::string& name :
       {fmt::format("class {}", op_class), fmt::format("opcode {} {}", op_class, opcode),
        fmt::format("label {} {}", op_class, label)}) {
    terms_.push_back({names_.intern(name), 1});
  }
  ends_.push_back(terms_.size());
}

void GraphKinds::add(std::span<const OpcodeCount> opcodes) {
  for (const OpcodeCount& one : opcodes) {
    terms_.push_back({names_.intern(fmt::format("node {}", one.opcode)), one.count});
  }
  ends_.push_back(terms_.size());
}

std::span<const GraphKinds::Term> GraphKinds::terms(size_t graph) const {
  const size_t begin = graph == 0 ? 0 : ends_[graph - 1];
  return std::span(terms_).subspan(begin, ends_[graph] - begin);
}

Result<Similarities> similarities(size_t programs, const GraphKinds& kinds,
                                  std::span<const Meeting> meetings, const Progress& progress) {
  const size_t term_count = kinds.names().size();
  std::vector<Profile> profiles = term_counts(programs, kinds, meetings);
  weigh(profiles, term_count);
  Similarities out(programs);
  std::vector<double> dense(term_count, 0);
  for (size_t a = 0; a < programs; ++a) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "stopped");
    progress.report(static_cast<double>(a) / static_cast<double>(programs), "comparing programs");
    out.set(a, a, 1);
    for (const Entry& entry : profiles[a]) dense[entry.term] = entry.value;
    for (size_t b = 0; b < a; ++b) out.set(a, b, product(dense, profiles[b]));
    for (const Entry& entry : profiles[a]) dense[entry.term] = 0;
  }
  return out;
}

std::vector<std::optional<Nearest>> nearest_training(std::span<const SourceProgram> programs,
                                                     std::span<const Part> parts,
                                                     const Similarities& similarities) {
  std::vector<std::optional<Nearest>> out(programs.size());
  for (uint32_t held = 0; held < programs.size(); ++held) {
    if (parts[held] == Part::kTrain) continue;
    for (uint32_t other = 0; other < programs.size(); ++other) {
      if (parts[other] != Part::kTrain) continue;
      const double similarity = similarities.of(held, other);
      std::optional<Nearest>& best = out[held];
      if (!best || similarity > best->similarity ||
          (similarity == best->similarity && programs[other].hash < programs[best->program].hash)) {
        best = Nearest{other, similarity};
      }
    }
  }
  return out;
}

}  // namespace hloscope::data
