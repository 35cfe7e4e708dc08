#include "tests/core/fuse/fuse_fixture.h"
#include "tests/core/fuse/random_program.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

const int kPrograms = random_program_count();

/// Empty, or what is wrong with the program that a state gives.
QString fault(const fuse::FusionState& state) {
  const auto program = fuse::apply(state);
  if (!program) return "apply: " + qt(program.error().format());
  const std::string text = hlo::print(**program);
  const auto again = hlo::parse_program(text);
  if (!again) return "parse: " + qt(again.error().format());
  if (hlo::print(**again) != text) return "printed again, the text is another";
  const double bytes = fuse::traffic(**program).bytes;
  if (std::abs(bytes - state.bytes()) > 1e-9 * bytes) {
    return QString("bytes %1 of the program, %2 of the state").arg(bytes).arg(state.bytes());
  }
  size_t kernels = 0;
  for (uint32_t i = 0; i < state.group_limit(); ++i) {
    const fuse::Group& group = state.group(fuse::GroupId(i));
    if (group.members.empty()) continue;
    if (group.facts.verdict != fuse::Verdict::kValid) return "an invalid group";
    if (group.facts.core_size < 2) continue;
    ++kernels;
    const size_t limit = group.facts.results.size() > 1 ? 19 : 13;
    if (group.facts.operands.size() > limit) return "too many operands";
  }
  size_t fusions = 0;
  for (hlo::InstructionId id : (*program)->instructions()) {
    if ((**program)[id].opcode != hlo::Opcode::kFusion) continue;
    ++fusions;
    size_t products = 0;
    const auto body = (*program)->computation(id, hlo::AttrKey::kCalls);
    for (hlo::InstructionId member : (**program)[body].instructions) {
      products += (**program)[member].opcode == hlo::Opcode::kDot ? 1 : 0;
    }
    if (products > 1) return "two products in a fusion";
  }
  return fusions < kernels ? "a kernel has no fusion" : QString();
}

fuse::FusionSpace random_space(Rng& rng) {
  return fuse::FusionSpace(value_of(fuse::clean_up(*parse(random_program(rng, 40)))));
}

}  // namespace

class TestFusionState : public QObject {
  Q_OBJECT
 private slots:
  void random_configurations_are_valid_and_round_trip() {
    Rng rng(1);
    size_t set = 0;
    for (int i = 0; i < kPrograms; ++i) {
      const fuse::FusionSpace space = random_space(rng);
      fuse::FusionState state(space);
      QCOMPARE(fault(state), QString());
      state.take(space.random(rng));
      QCOMPARE(fault(state), QString());
      set += static_cast<size_t>(std::count(state.config().begin(), state.config().end(), 1));
      // Its own configuration gives the same kernels.
      fuse::FusionState again(space);
      again.take(state.config());
      QCOMPARE(qt(fuse::config_text(again.config())), qt(fuse::config_text(state.config())));
      QCOMPARE(again.bytes(), state.bytes());
    }
    QVERIFY2(set > 500, qPrintable(QString::number(set)));
  }

  void random_flips_are_valid_and_undo_restores_everything() {
    Rng rng(2);
    size_t cleared = 0;
    size_t split = 0;
    for (int i = 0; i < kPrograms; ++i) {
      const fuse::FusionSpace space = random_space(rng);
      if (space.edge_count() == 0) continue;
      fuse::FusionState state(space);
      std::vector<QString> before = {state_text(state)};
      for (int flip = 0; flip < 40; ++flip) {
        const fuse::EdgeId edge(rng.below(space.edge_count()));
        const bool was_set = state.config()[edge.value] != 0;
        const double bytes = state.bytes();
        const auto outlook = state.look(edge);
        QCOMPARE(state_text(state), before.back());
        const fuse::FlipResult result = state.flip(edge);
        QCOMPARE(result.verdict, outlook.verdict);
        if (result.verdict != fuse::Verdict::kValid) {
          QCOMPARE(state_text(state), before.back());
          continue;
        }
        QVERIFY(std::abs(state.bytes() - bytes - outlook.bytes_change) < 1);
        for (fuse::GroupId group : result.added) QVERIFY(!state.group(group).members.empty());
        cleared += was_set ? 1 : 0;
        split += result.added.size() > 1 ? 1 : 0;
        before.push_back(state_text(state));
      }
      QCOMPARE(fault(state), QString());
      while (before.size() > 1) {
        QCOMPARE(state_text(state), before.back());
        before.pop_back();
        QVERIFY(state.undo());
      }
      QCOMPARE(state_text(state), before.back());
      QVERIFY(!state.undo());
    }
    QVERIFY(cleared > 100);
    QVERIFY(split > 50);
  }

  void a_state_that_was_walked_to_is_given_back_by_its_configuration() {
    Rng rng(3);
    for (int i = 0; i < kPrograms; ++i) {
      const fuse::FusionSpace space = random_space(rng);
      if (space.edge_count() == 0) continue;
      fuse::FusionState state(space);
      for (int flip = 0; flip < 60; ++flip) state.flip(fuse::EdgeId(rng.below(space.edge_count())));
      fuse::FusionState again(space);
      again.take(state.config());
      QCOMPARE(qt(fuse::config_text(again.config())), qt(fuse::config_text(state.config())));
      for (hlo::InstructionId id : space.program().instructions()) {
        QVERIFY(again.group(again.group_of(id)).members == state.group(state.group_of(id)).members);
      }
    }
  }

  void after_the_default_no_valid_edge_saves_bytes() {
    Rng rng(4);
    for (int i = 0; i < kPrograms; ++i) {
      const fuse::FusionSpace space = random_space(rng);
      fuse::FusionState state(space);
      const double unfused = state.bytes();
      QVERIFY(fuse::fuse_by_default(state).has_value());
      QVERIFY(state.bytes() <= unfused);
      QCOMPARE(fault(state), QString());
      for (fuse::EdgeId edge : space.edges()) {
        if (state.config()[edge.value] != 0) continue;
        const auto outlook = state.look(edge);
        QVERIFY(outlook.verdict != fuse::Verdict::kValid || outlook.bytes_change >= 0);
      }
    }
  }

  void a_kernel_alone_is_the_one_in_the_program() {
    Rng rng(5);
    size_t compared = 0;
    for (int i = 0; i < 50; ++i) {
      const fuse::FusionSpace space = random_space(rng);
      fuse::FusionState state(space);
      state.take(space.random(rng));
      const auto program = value_of(fuse::apply(state));
      std::vector<std::string> hashes;
      for (const graph::Kernel& kernel : graph::kernels(*program).kernels) {
        hashes.push_back(kernel.hash.hex());
      }
      for (uint32_t g = 0; g < state.group_limit(); ++g) {
        const fuse::Group& group = state.group(fuse::GroupId(g));
        if (group.members.empty() || group.facts.core_size < 2) continue;
        const auto alone = value_of(fuse::kernel_program(space, group));
        const std::string hash = graph::canonical_hash(*alone, (*alone)[alone->entry()].root).hex();
        QVERIFY(std::find(hashes.begin(), hashes.end(), hash) != hashes.end());
        ++compared;
      }
    }
    QVERIFY(compared > 50);
  }
};

HLOSCOPE_TEST(TestFusionState);
#include "test_fusion_state.moc"
