#include "core/layout/coordinates.h"
#include "core/layout/order.h"
#include "core/layout/text_width.h"
#include "core/layout/tracks.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

class TestLayoutParts : public QObject {
  Q_OBJECT
 private slots:
  void isotonic_regression_pools_violators() {
    std::vector<float> values{1, 3, 2, 4, 0};
    layout::isotonic_regression(values, {1, 1, 1, 1, 1});
    // Worked by hand: (3,2) pool to 2.5; (4,0) to 2, which violates 2.5, so all four pool to 2.25.
    QCOMPARE(values, (std::vector<float>{1, 2.25F, 2.25F, 2.25F, 2.25F}));
    std::vector<float> weighted{4, 1};
    layout::isotonic_regression(weighted, {3, 1});
    QCOMPARE(weighted, (std::vector<float>{3.25F, 3.25F}));
    std::vector<float> none;
    layout::isotonic_regression(none, {});
    QVERIFY(none.empty());
  }

  void crossings_are_counted_between_layers() {
    layout::LayeredGraph graph;
    const auto v = [](uint32_t i) { return layout::VertexId(i); };
    graph.layer.resize(6);
    graph.layers = {{v(0), v(1), v(2)}, {v(3), v(4), v(5)}};
    // 0-5, 1-4, 2-3: every pair crosses; 0-3 crosses nothing.
    const std::vector<std::pair<layout::VertexId, layout::VertexId>> pairs{
        {v(0), v(5)}, {v(1), v(4)}, {v(2), v(3)}, {v(0), v(3)}};
    graph.down = Csr<layout::VertexId, layout::VertexId>::from_pairs(6, pairs);
    QCOMPARE(layout::count_crossings(graph), uint64_t{3});
    graph.layers[1] = {v(5), v(4), v(3)};
    // Now 0-3 crosses 1-4 and nothing else: 2-3 meets it in the same end.
    QCOMPARE(layout::count_crossings(graph), uint64_t{1});
  }

  void overlapping_spans_get_tracks_of_their_own() {
    std::vector<layout::TrackSpan> spans{{0, 100, 0}, {150, 50, 1}, {200, 300, 2}};
    std::vector<uint32_t> tracks(3);
    QCOMPARE(layout::pack_tracks(spans, tracks), 2U);
    QVERIFY(tracks[0] != tracks[1]);
    QCOMPARE(tracks[2], tracks[0]);
  }

  void text_widths_are_those_of_the_font() {
    using layout::FontFace;
    // Advance widths in DejaVuSans.ttf 2.37: a = 1255, W = 2025, space = 651, ellipsis = 2048.
    QCOMPARE(layout::text_width("aW ", 2048, FontFace::kRegular), 3931.F);
    QCOMPARE(layout::text_width("…", 10, FontFace::kRegular), 10.F);
    QCOMPARE(layout::text_width("a", 2048, FontFace::kBold), 1382.F);
    QCOMPARE(layout::text_width("aW ", 2048, FontFace::kMono), 3699.F);
    QCOMPARE(layout::text_width("", 12, FontFace::kRegular), 0.F);
    // A broken UTF-8 sequence ends at the end of the text.
    QVERIFY(layout::text_width("\xe2\x80", 12, FontFace::kRegular) > 0);
  }
};

HLOSCOPE_TEST(TestLayoutParts);
#include "test_parts.moc"
