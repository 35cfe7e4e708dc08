#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <string>
#include <vector>

#include "core/data/import.h"
#include "core/data/npz.h"

namespace hloscope::testing {

/// A folder with files, removed with it.
class FileFolder {
 public:
  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_.filePath(QString::fromStdString(name)).toStdString();
  }
  std::string write(const std::string& name, const std::string& bytes) const {
    QFile file(QString::fromStdString(path(name)));
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", name.c_str());
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    return path(name);
  }
  std::string write_npz(const std::string& name,
                        const std::vector<data::NamedArray>& arrays) const {
    if (auto status = data::write_npz(path(name), arrays); !status) {
      qFatal("%s", status.error().format().c_str());
    }
    return path(name);
  }

 private:
  QTemporaryDir folder_;
};

/// What an importer gave.
struct Imported {
  Status status;
  std::vector<data::ImportedGraph> graphs;
  data::ImportReport report;

  [[nodiscard]] std::string message() const { return status ? "good" : status.error().headline(); }
};

/// Calls `import(sink, report)`.
template <typename Import>
Imported imported(const Import& import) {
  Imported out;
  const data::ImportSink sink = [&out](data::ImportedGraph graph) -> Status {
    out.graphs.push_back(std::move(graph));
    return {};
  };
  out.status = import(sink, out.report);
  return out;
}

/// A tile file of 2 nodes (a copy of a parameter) and 4 tiles, of which the last is the first.
inline std::vector<data::NamedArray> tile_arrays() {
  std::vector<float> nodes(280, 0);
  nodes[0] = 1;
  nodes[140 + 21] = 1280;
  std::vector<float> tiles(96, 0);
  for (size_t i = 0; i < 4; ++i) tiles[i * 24 + 8] = static_cast<float>(i % 3 + 1);
  using Ints = std::vector<int64_t>;
  return {{"node_feat", data::array_of({2, 140}, nodes)},
          {"node_opcode", data::array_of({2}, std::vector<uint8_t>{63, 27})},
          {"edge_index", data::array_of({1, 2}, Ints{1, 0})},
          {"config_feat", data::array_of({4, 24}, tiles)},
          {"config_runtime", data::array_of({4}, Ints{30, 20, 1, 25})},
          {"config_runtime_normalizers", data::array_of({4}, Ints{20, 20, 20, 21})}};
}

/// A layout file of 2 nodes, of which the second is configurable, and 2 configurations.
inline std::vector<data::NamedArray> layout_arrays() {
  std::vector<data::NamedArray> out = tile_arrays();
  out.resize(3);
  std::vector<float> layouts(36, -1);
  layouts[18] = 0;
  using Ints = std::vector<int64_t>;
  out.push_back({"node_config_feat", data::array_of({2, 1, 18}, layouts)});
  out.push_back({"node_config_ids", data::array_of({1}, Ints{1})});
  out.push_back({"config_runtime", data::array_of({2}, Ints{700, 600})});
  out.push_back({"node_splits", data::array_of({1, 2}, Ints{0, 2})});
  return out;
}

/// `arrays` with one replaced.
inline std::vector<data::NamedArray> with(std::vector<data::NamedArray> arrays,
                                          const std::string& name, data::Array array) {
  for (data::NamedArray& one : arrays) {
    if (one.name == name) one.array = std::move(array);
  }
  return arrays;
}

}  // namespace hloscope::testing
