#include "core/layout/text_width.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hloscope::layout {
namespace {

constexpr float kUnitsPerEm = 2048;
constexpr uint32_t kFirst = 32;
constexpr size_t kCount = 95;
using Widths = std::array<uint16_t, kCount>;

constexpr Widths kRegularWidths = {
    651,  821,  942,  1716, 1303, 1946, 1597, 563,  799,  799,  1024, 1716, 651,  739,  651,  690,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690,  690,  1716, 1716, 1716, 1087,
    2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604,  604,  1343, 1141, 1767, 1532, 1612,
    1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799,  690,  799,  1716, 1024,
    1024, 1255, 1300, 1126, 1300, 1260, 721,  1300, 1298, 569,  569,  1186, 569,  1995, 1298, 1253,
    1300, 1300, 842,  1067, 803,  1298, 1212, 1675, 1212, 1212, 1075, 1303, 690,  1303, 1716};
constexpr Widths kBoldWidths = {
    713,  934,  1067, 1716, 1425, 2052, 1786, 627,  936,  936,  1071, 1716, 778,  850,  778,  748,
    1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 819,  819,  1716, 1716, 1716, 1188,
    2048, 1585, 1561, 1503, 1700, 1399, 1399, 1681, 1714, 762,  762,  1587, 1305, 2038, 1714, 1741,
    1501, 1741, 1577, 1475, 1397, 1663, 1585, 2259, 1579, 1483, 1485, 936,  748,  936,  1716, 1024,
    1024, 1382, 1466, 1214, 1466, 1389, 891,  1466, 1458, 702,  702,  1362, 702,  2134, 1458, 1407,
    1466, 1466, 1010, 1219, 979,  1458, 1335, 1892, 1321, 1335, 1192, 1458, 748,  1458, 1716};
constexpr uint16_t kMonoWidth = 1233;

struct Wide {
  uint32_t code;
  uint16_t regular;
  uint16_t bold;
};
constexpr Wide kWide[] = {
    {0xb5, 1303, 1507},   {0xb7, 651, 778},     {0xd7, 1716, 1716},   {0x2009, 409, 409},
    {0x2026, 2048, 2048}, {0x2190, 1716, 1716}, {0x2191, 1716, 1716}, {0x2192, 1716, 1716},
    {0x2193, 1716, 1716}, {0x2212, 1716, 1716}, {0x2248, 1716, 1716},
};

/// Reads one code point and moves `at` behind it; a broken sequence gives one character per byte.
uint32_t next_code_point(std::string_view text, size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  const int extra = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  if (extra == 0) return lead;
  uint32_t code = lead & (0x3fU >> extra);
  for (int i = 0; i < extra && at < text.size(); ++i, ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte & 0xc0) != 0x80) break;
    code = code << 6 | (byte & 0x3fU);
  }
  return code;
}

uint32_t units(uint32_t code, FontFace face) {
  if (face == FontFace::kMono) return kMonoWidth;
  const bool bold = face == FontFace::kBold;
  if (code >= kFirst && code < kFirst + kCount) {
    return (bold ? kBoldWidths : kRegularWidths)[code - kFirst];
  }
  for (const Wide& wide : kWide) {
    if (wide.code == code) return bold ? wide.bold : wide.regular;
  }
  return static_cast<uint32_t>(0.8F * kUnitsPerEm);
}

}  // namespace

float text_width(std::string_view utf8, float pixel_size, FontFace face) {
  uint64_t sum = 0;
  for (size_t at = 0; at < utf8.size();) sum += units(next_code_point(utf8, at), face);
  return static_cast<float>(sum) * pixel_size / kUnitsPerEm;
}

}  // namespace hloscope::layout
