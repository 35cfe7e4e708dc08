#include "core/predict/layout_rows.h"
#include "tests/core/predict/layout_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::predict;
using hloscope::testing::output_order;

namespace {

std::vector<int64_t> joined(const std::vector<std::vector<int64_t>>& parts) {
  std::vector<int64_t> out;
  for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

const std::vector<int64_t> kDefault(data::kTpuLayoutFeatures, -1);

// Two nodes, three samples, three layouts.
LayoutRows rows() {
  LayoutRows out({4, 1});
  const bool good = out.add_sample(joined({output_order(0), kDefault})) &&
                    out.add_sample(joined({output_order(1), output_order(1)})) &&
                    out.add_sample(joined({kDefault, output_order(0)}));
  out.finish();
  return good ? out : LayoutRows();
}

std::vector<uint32_t> numbers(const LayoutRows& rows, size_t sample) {
  return {rows.sample(sample).begin(), rows.sample(sample).end()};
}

}  // namespace

class TestLayoutRows : public QObject {
  Q_OBJECT
 private slots:
  void each_layout_is_kept_once() {
    const LayoutRows all = rows();
    QCOMPARE(all.layouts().size(), size_t{3});
    QCOMPARE(numbers(all, 0), (std::vector<uint32_t>{0, 1}));
    QCOMPARE(numbers(all, 1), (std::vector<uint32_t>{2, 2}));
    QCOMPARE(numbers(all, 2), (std::vector<uint32_t>{1, 0}));
    QCOMPARE(int{all.layouts()[2][0]}, 1);
    QCOMPARE(int{all.layouts()[2][1]}, 0);
    QCOMPARE(int{all.layouts()[2][2]}, -1);
  }

  void four_bytes_of_a_node_and_sample() {
    LayoutRows big(std::vector<uint32_t>(100));
    for (int i = 0; i < 1000; ++i) {
      QVERIFY(big.add_sample(joined(std::vector(100, output_order(i % 2)))));
    }
    big.finish();
    // 18 floats would be 7.2 MB.
    QVERIFY(big.bytes() < 4 * 100 * 1000 + 1000);
  }

  void what_is_no_layout_is_refused() {
    LayoutRows out({0});
    QVERIFY(!out.add_sample(joined({kDefault, kDefault})));
    for (const int64_t value : {-2, 6, 300}) {
      std::vector<int64_t> values = kDefault;
      values[17] = value;
      QVERIFY(!out.add_sample(values));
    }
    QVERIFY(out.layouts().empty());
    QVERIFY(out.add_sample(kDefault));
  }

  void some_samples_have_only_their_layouts() {
    const std::vector<uint32_t> chosen = {2, 0};
    const LayoutRows some = rows().only(chosen);
    QCOMPARE(some.layouts().size(), size_t{2});
    QVERIFY(std::ranges::equal(some.nodes(), rows().nodes()));
    QCOMPARE(some.sample_hash(0), rows().sample_hash(2));
    QCOMPARE(some.sample_hash(1), rows().sample_hash(0));
    QVERIFY(some.sample_hash(0) != some.sample_hash(1));
  }

  void orders_are_names() {
    std::vector<float> out(kLayoutColumns, 7);
    NodeLayout layout;
    layout.fill(-1);
    layout[6] = 5;
    one_hot(layout, out);
    // One 1 for each of 18 places: of -1 the first of its seven columns, of 5 the last.
    QCOMPARE(std::ranges::count(out, 1.0F), std::ptrdiff_t{18});
    QCOMPARE(std::ranges::count(out, 0.0F), std::ptrdiff_t{108});
    QCOMPARE(out[0], 1.0F);
    QCOMPARE(out[6 * 7], 0.0F);
    QCOMPARE(out[6 * 7 + 6], 1.0F);
    QCOMPARE(out[17 * 7], 1.0F);
  }
};

HLOSCOPE_TEST(TestLayoutRows);
#include "test_layout_rows.moc"
