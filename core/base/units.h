#pragma once

namespace hloscope {

inline constexpr double kNsPerUs = 1000;
inline constexpr double kBytesPerMib = 1024 * 1024;

}  // namespace hloscope
