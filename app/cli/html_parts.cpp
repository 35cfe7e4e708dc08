#include "app/cli/html_parts.h"

#include <fmt/format.h>

namespace hloscope::cli {

/// "1,234.5", "+3", "–".
static bool is_number(std::string_view cell) {
  return cell == "–" ||
         (!cell.empty() && cell.find_first_not_of("0123456789.,+-e") == std::string_view::npos);
}

std::string url_of(std::string_view file_name) {
  constexpr std::string_view kPlain = "-._~";
  std::string out;
  for (const char c : file_name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_plain =
        is_letter || (c >= '0' && c <= '9') || kPlain.find(c) != std::string_view::npos;
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string html_head(std::string_view caption, const std::vector<std::string>& titles) {
  std::string out = fmt::format("<table><caption>{}</caption><thead><tr>", html(caption));
  for (const std::string& title : titles) {
    out += fmt::format("<th scope=\"col\">{}</th>", html(title));
  }
  return out + "</tr></thead><tbody>\n";
}

std::string html_row(const std::vector<std::string>& cells) {
  std::string out = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i) {
    out += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", html(cells[i]))
                  : fmt::format("<td{}>{}</td>", is_number(cells[i]) ? " class=\"n\"" : "",
                                html(cells[i]));
  }
  return out + "</tr>\n";
}

std::string html_figure(std::string_view title, std::string_view note, std::string_view svg) {
  if (svg.empty()) return {};
  return fmt::format("<figure><figcaption>{} <span>{}</span></figcaption>\n{}</figure>\n",
                     html(title), html(note), svg);
}

}  // namespace hloscope::cli
