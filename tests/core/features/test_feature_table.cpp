#include <set>

#include "core/features/node_table.h"
#include "core/features/transform.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using features::Group;

class TestFeatureTable : public QObject {
  Q_OBJECT
 private slots:
  void widths_are_those_of_tpugraphs() {
    QCOMPARE(width(Group::kNode), size_t{140});
    QCOMPARE(width(Group::kTile), size_t{24});
    QCOMPARE(width(Group::kLayout), size_t{18});
    QCOMPARE(width(Group::kDot), size_t{3});
    QCOMPARE(width(Group::kFusion), size_t{1});
    QCOMPARE(width(Group::kStatic), size_t{4});
  }

  // Positions: README of google-research-datasets/tpu_graphs.
  void positions_are_those_of_tpugraphs() {
    const std::vector<std::string> names = features::names(Group::kNode);
    const std::pair<size_t, const char*> expected[] = {
        {0, "is_root"},
        {1, "element_size_in_bits"},
        {2, "shape_element_type_is_invalid_type"},
        {13, "shape_element_type_is_f32"},
        {15, "shape_element_type_is_bf16"},
        {20, "shape_element_type_is_token"},
        {21, "shape_dimensions_0"},
        {27, "shape_dimensions_sum"},
        {28, "shape_dimensions_product"},
        {29, "shape_tuple_shapes_size"},
        {30, "parameter_number"},
        {31, "dimensions_0"},
        {37, "window_size_0"},
        {45, "window_stride_0"},
        {53, "window_padding_low_0"},
        {61, "window_padding_high_0"},
        {69, "window_window_dilation_0"},
        {77, "window_base_dilation_0"},
        {85, "window_window_reversal_0"},
        {91, "window_window_reversal_true_count"},
        {92, "window_window_reversal_false_count"},
        {93, "convolution_dim_numbers_input_batch_dim"},
        {95, "convolution_dim_numbers_input_spatial_dims_0"},
        {99, "convolution_dim_numbers_kernel_input_feature_dim"},
        {105, "convolution_dim_numbers_output_batch_dim"},
        {107, "feature_group_count"},
        {108, "batch_group_count"},
        {109, "slice_dims_start_0"},
        {113, "slice_dims_stride_0"},
        {117, "slice_dims_limit_0"},
        {121, "dynamic_slice_sizes_0"},
        {125, "padding_config_edge_padding_low_0"},
        {129, "padding_config_edge_padding_high_0"},
        {133, "is_stable"},
        {134, "layout_minor_to_major_0"},
        {139, "layout_minor_to_major_5"}};
    for (const auto& [position, name] : expected) QCOMPARE(names[position], std::string(name));
  }

  void names_are_as_many_as_values_and_differ() {
    std::set<std::string> seen;
    for (int i = 0; i < features::kGroupCount; ++i) {
      const auto group = static_cast<Group>(i);
      const std::vector<std::string> names = features::names(group);
      QCOMPARE(names.size(), width(group));
      for (const std::string& one : names) QVERIFY2(seen.insert(one).second, one.c_str());
    }
  }

  void each_row_has_the_getter_of_its_form() {
    for (const features::NodeFeature& row : features::node_table()) {
      const bool is_real = row.feature.form == features::Form::kReal;
      QVERIFY2((row.real != nullptr) == is_real, row.feature.name.data());
      QVERIFY2((row.integers != nullptr) != is_real, row.feature.name.data());
      const bool has_choices = !row.feature.choices.empty();
      QCOMPARE(has_choices, row.feature.form == features::Form::kOneHot);
    }
  }

  void signed_log() {
    QCOMPARE(features::signed_log1p(0.0F), 0.0F);
    QCOMPARE(features::signed_log1p(1.0F), 0.6931472F);
    QCOMPARE(features::signed_log1p(-1.0F), -0.6931472F);
  }
};

HLOSCOPE_TEST(TestFeatureTable);
#include "test_feature_table.moc"
