#include "core/hlo/tpu_layout.h"

#include "tests/support/test_registry.h"

using namespace hloscope;
using hlo::PrimitiveType;

namespace {

hlo::Shape array(PrimitiveType type, std::vector<int64_t> dimensions,
                 std::vector<int64_t> minor_to_major = {}, hlo::Tiles tiles = {}) {
  hlo::Shape shape;
  shape.element_type = type;
  shape.dimensions = std::move(dimensions);
  if (minor_to_major.empty()) {
    for (size_t i = shape.rank(); i-- > 0;) minor_to_major.push_back(static_cast<int64_t>(i));
  }
  shape.layout.minor_to_major = std::move(minor_to_major);
  shape.layout.tiles = std::move(tiles);
  return shape;
}

using Tiles = hlo::Tiles;

}  // namespace

class TestTpuLayout : public QObject {
  Q_OBJECT
 private slots:
  // openxla.org/xla/tiled_layout: F32[3,5] with tile (2,2) takes 2 x 3 tiles of 4 elements.
  void padding_of_the_xla_documentation() {
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kF32, {3, 5}, {1, 0}, {{2, 2}})),
             2.0 * 3 * 4 * 4);
  }
  // One tile: 4096 bytes of float32, 2048 of bfloat16, 1024 of packed predicates.
  void bytes_of_one_tile() {
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kF32, {8, 128}, {}, {{8, 128}})), 4096.0);
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kBf16, {8, 128}, {}, {{8, 128}, {2, 1}})),
             2048.0);
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kPred, {8, 128}, {}, {{8, 128}, {4, 1}})),
             1024.0);
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kF32, {1000}, {}, {{1024}})), 4096.0);
  }
  // The input of a measured TPU v3 reduction: 22.2 MB padded, 192 lanes to 256.
  void padding_follows_the_physical_order() {
    QCOMPARE(
        hlo::padded_bytes(array(PrimitiveType::kF32, {32, 26, 26, 192}, {3, 0, 2, 1}, {{8, 128}})),
        22151168.0);
    // The same with 26 in the sublanes.
    QCOMPARE(
        hlo::padded_bytes(array(PrimitiveType::kF32, {32, 26, 26, 192}, {3, 2, 1, 0}, {{8, 128}})),
        32.0 * 26 * 32 * 256 * 4);
  }
  void second_level_tiles_pad_the_first() {
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kBf16, {8, 128}, {}, {{8, 128}, {3, 1}})),
             9.0 * 128 * 2);
  }
  void a_star_merges_a_dimension_with_the_next_minor_one() {
    const int64_t star = hlo::kCombineDimension;
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kF32, {3, 5, 128}, {}, {{star, 8, 128}})),
             16.0 * 128 * 4);
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kF32, {2, 3, 5, 7}, {}, {{star, star, 4, 8}})),
             32.0 * 8 * 4);
  }
  void a_tile_of_higher_rank_than_the_shape() {
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kF32, {100}, {}, {{8, 128}})), 4096.0);
  }
  void default_tiles_of_matrices() {
    const auto tiles = [](PrimitiveType type, int64_t rows) {
      return hlo::default_tiles(array(type, {rows, 300}));
    };
    QCOMPARE(tiles(PrimitiveType::kF32, 100), (Tiles{{8, 128}}));
    QCOMPARE(tiles(PrimitiveType::kS32, 5), (Tiles{{8, 128}}));
    QCOMPARE(tiles(PrimitiveType::kF32, 4), (Tiles{{4, 128}}));
    QCOMPARE(tiles(PrimitiveType::kF32, 3), (Tiles{{4, 128}}));
    QCOMPARE(tiles(PrimitiveType::kF32, 2), (Tiles{{2, 128}}));
    QCOMPARE(tiles(PrimitiveType::kF32, 1), (Tiles{{1, 128}}));
    QCOMPARE(tiles(PrimitiveType::kC64, 100), (Tiles{{8, 128}}));
    QCOMPARE(tiles(PrimitiveType::kBf16, 100), (Tiles{{8, 128}, {2, 1}}));
    QCOMPARE(tiles(PrimitiveType::kBf16, 1), (Tiles{{2, 128}, {2, 1}}));
    QCOMPARE(tiles(PrimitiveType::kS8, 31), (Tiles{{8, 128}, {4, 1}}));
    QCOMPARE(tiles(PrimitiveType::kS8, 32), (Tiles{{32, 128}, {4, 1}}));
    QCOMPARE(tiles(PrimitiveType::kPred, 2), (Tiles{{4, 128}, {4, 1}}));
    QCOMPARE(tiles(PrimitiveType::kS4, 63), (Tiles{{8, 128}, {8, 1}}));
  }
  // As in the float32 arrays of the measured TPU v3 modules: [192] has T(256), [4096] T(1024).
  void default_tiles_of_vectors_and_scalars() {
    QCOMPARE(hlo::default_tiles(array(PrimitiveType::kF32, {192})), (Tiles{{256}}));
    QCOMPARE(hlo::default_tiles(array(PrimitiveType::kF32, {4096})), (Tiles{{1024}}));
    QCOMPARE(hlo::default_tiles(array(PrimitiveType::kF32, {5})), (Tiles{{128}}));
    QCOMPARE(hlo::default_tiles(array(PrimitiveType::kBf16, {4096})),
             (Tiles{{2048}, {128}, {2, 1}}));
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kF32, {})), 512.0);
  }
  void default_padding() {
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kF32, {64, 128})), 64.0 * 128 * 4);
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kBf16, {3, 130})), 4.0 * 256 * 2);
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kS4, {16, 128})), 16.0 * 128 / 2);
    QCOMPARE(hlo::padded_bytes(array(PrimitiveType::kF32, {0, 128})), 0.0);
  }
  void element_size_of_the_layout_counts() {
    hlo::Shape shape = array(PrimitiveType::kPred, {32, 128});
    shape.layout.element_size_in_bits = 1;
    QCOMPARE(hlo::padded_bytes(shape, {{32, 128}, {32, 1}}), 32.0 * 128 / 8);
  }
  void tuples_are_pointers_and_tokens_nothing() {
    hlo::Shape tuple;
    tuple.element_type = PrimitiveType::kTuple;
    tuple.elements = {hlo::ShapeId(0), hlo::ShapeId(0)};
    QCOMPARE(hlo::padded_bytes(tuple), 16.0);
    hlo::Shape token;
    token.element_type = PrimitiveType::kToken;
    QCOMPARE(hlo::padded_bytes(token), 0.0);
  }
};

HLOSCOPE_TEST(TestTpuLayout);
#include "test_tpu_layout.moc"
