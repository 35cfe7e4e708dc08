#include <QStringList>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/pages/graph/kernel_details.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

// "name|value|note" of each.
QStringList lines(const std::vector<Property>& properties) {
  QStringList out;
  for (const Property& property : properties) {
    out += QStringList{property.name, property.value, property.note}.join('|');
  }
  return out;
}

}  // namespace

class TestKernelDetails : public QObject {
  Q_OBJECT
 private slots:
  void details_tell_tile_vmem_iterations_and_missing_rules() {
    auto report =
        std::make_shared<analysis::ModuleReport>(*testing::reportOf(testing::kLoopProgram));
    const graph::KernelId kernel =
        report->kernels.kernel_of[report->module.program->find_instruction("fusion.7")];
    analysis::TileChoice& choice = report->times.tiles[report->kernels.distinct_of[kernel]];
    choice = {{{12, 4}, {3}}, 9, 5'960'000, true};
    const analysis::KernelTable table(report);
    const QStringList kernel_lines = lines(kernelProperties(table, kernel));
    QVERIFY2(kernel_lines.contains("Tile|out=12x4,kernel=3|"), qPrintable(kernel_lines.join('\n')));
    QVERIFY2(kernel_lines.contains("VMEM|5.96 MB|9 iterations"),
             qPrintable(kernel_lines.join('\n')));
    choice.is_written = true;
    QVERIFY(lines(kernelProperties(table, kernel))
                .contains("Tile|out=12x4,kernel=3|as the program says"));
    QVERIFY(kernel_lines.contains("Fall-back|yes|an opcode in it has no rule of its own"));
    QStringList names;
    for (const Property& property : moduleProperties(table)) names += property.name;
    QVERIFY(names.contains("Simulated") && names.contains("Analytical"));
    QVERIFY(!names.contains("Predicted"));
  }

  void details_tell_predicted_times_and_far_kernels() {
    const analysis::KernelTable table(
        testing::predictedReport(*testing::reportOf(testing::kLoopProgram)));
    const QStringList first = lines(kernelProperties(table, graph::KernelId(0)));
    QVERIFY2(first.contains("Predicted|12.3 ± 0.40 µs|tpu_v3_fusion@4f1c09ab, 3 models"),
             qPrintable(first.join('\n')));
    QVERIFY(first.contains("Training data|⚠ far|unlike the kernels that the model learned from"));
    const QStringList second = lines(kernelProperties(table, graph::KernelId(1)));
    QVERIFY(second.contains("Training data|near|like kernels that the model learned from"));
    const QStringList whole = lines(moduleProperties(table));
    QVERIFY2(whole.filter("Predicted|").join("").contains("not measured · tpu_v3_fusion"),
             qPrintable(whole.join('\n')));
  }
};

HLOSCOPE_TEST(TestKernelDetails);
#include "test_kernel_details.moc"
