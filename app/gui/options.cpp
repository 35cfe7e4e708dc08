#include "app/gui/options.h"

#include <functional>
#include <map>

namespace hloscope::gui {

namespace {

constexpr double kSmallestScale = 0.5;
constexpr double kLargestScale = 4;

tl::unexpected<Error> usage(const QString& message) {
  return fail(ErrorCode::kInvalidInput, message.toStdString(), "hloscope --help lists the options");
}

/// Takes the values of one option from the front of the rest of the command line.
using Take = std::function<Status(Options&, const QStringList& values)>;

Status takeTheme(Options& options, const QStringList& values) {
  const std::map<QString, ui::ThemeMode> modes = {{"system", ui::ThemeMode::kSystem},
                                                  {"light", ui::ThemeMode::kLight},
                                                  {"dark", ui::ThemeMode::kDark}};
  const auto mode = modes.find(values[0]);
  if (mode == modes.end()) return usage("--theme takes light, dark or system, not " + values[0]);
  options.theme = mode->second;
  return {};
}

Status takeSize(Options& options, const QStringList& values) {
  const QStringList parts = values[0].split('x');
  bool good = parts.size() == 2;
  QSize size;
  if (good) {
    bool width_good = false;
    bool height_good = false;
    size = {parts[0].toInt(&width_good), parts[1].toInt(&height_good)};
    good = width_good && height_good && size.width() > 0 && size.height() > 0;
  }
  if (!good) return usage("--size takes WIDTHxHEIGHT, e.g. 1600x1000, not " + values[0]);
  options.size = size;
  return {};
}

Status takeScale(Options& options, const QStringList& values) {
  bool good = false;
  const double scale = values[0].toDouble(&good);
  if (!good || scale < kSmallestScale || scale > kLargestScale) {
    return usage("--scale takes a number from 0.5 to 4, not " + values[0]);
  }
  options.scale = scale;
  return {};
}

struct OptionKind {
  int values;
  Take take;
};

const std::map<QString, OptionKind>& kinds() {
  static const std::map<QString, OptionKind> table = {
      {"--db", {1, [](Options& o, const QStringList& v) { return o.database = v[0], Status(); }}},
      {"--machine",
       {1, [](Options& o, const QStringList& v) { return o.machine = v[0], Status(); }}},
      {"--model",
       {1, [](Options& o, const QStringList& v) { return o.models = v[0].split(','), Status(); }}},
      {"--select", {1, [](Options& o, const QStringList& v) { return o.select = v[0], Status(); }}},
      {"--theme", {1, takeTheme}},
      {"--size", {1, takeSize}},
      {"--scale", {1, takeScale}},
      {"--screenshot",
       {2,
        [](Options& o, const QStringList& v) {
          o.screenshots.push_back({v[0], v[1]});
          return Status();
        }}},
      {"--raw", {0, [](Options& o, const QStringList&) { return o.raw = true, Status(); }}},
      {"--restore", {0, [](Options& o, const QStringList&) { return o.restore = true, Status(); }}},
      {"--help", {0, [](Options& o, const QStringList&) { return o.help = true, Status(); }}},
      {"-h", {0, [](Options& o, const QStringList&) { return o.help = true, Status(); }}},
      {"--version", {0, [](Options& o, const QStringList&) { return o.version = true, Status(); }}},
  };
  return table;
}

}  // namespace

Result<Options> parseOptions(const QStringList& arguments) {
  Options options;
  for (qsizetype i = 0; i < arguments.size(); ++i) {
    const QString& argument = arguments[i];
    if (argument == "--") {
      options.files += arguments.mid(i + 1);
      break;
    }
    if (!argument.startsWith('-')) {
      options.files << argument;
      continue;
    }
    const auto kind = kinds().find(argument);
    if (kind == kinds().end()) return usage("unknown option " + argument);
    const int count = kind->second.values;
    if (i + count >= arguments.size()) {
      return usage(QStringLiteral("%1 needs %2 values after it").arg(argument).arg(count));
    }
    HLOSCOPE_TRY(kind->second.take(options, arguments.mid(i + 1, count)));
    i += count;
  }
  return options;
}

QString helpText() {
  return QStringLiteral(
      "hloscope [FILE...]: opens HLO programs, shows their kernels and what they cost in time.\n"
      "\n"
      "  --machine ID          the TPU whose times are estimated: tpu_v2 tpu_v3 tpu_v4 tpu_v5e\n"
      "                        tpu_v5p tpu_v6e, or a machine file (default tpu_v3)\n"
      "  --model NAME          what predicts times: a built-in model, or files of\n"
      "                        hloscope-cli train with commas between (default: the built-in one\n"
      "                        of the machine)\n"
      "  --db FILE             results file (default $XDG_DATA_HOME/hloscope/results.hloscope)\n"
      "  --theme MODE          light, dark or system\n"
      "  --size WxH            size of the window, e.g. 1600x1000\n"
      "  --scale S             scale of the interface, 0.5 to 4\n"
      "  --select NAME         selects a kernel or instruction of the first file\n"
      "  --raw                 programs that are not optimised without own fusion: every\n"
      "                        instruction is one kernel\n"
      "  --restore             opens what was open the last time\n"
      "  --screenshot PAGE OUT.png\n"
      "                        writes a picture of a page (start, graph, compare, data, runs, "
      "...)\n"
      "                        and ends; needs no screen, may be given several times, leaves "
      "settings\n"
      "                        and results alone; of a wrong name it says which pages there are\n"
      "  --help, --version\n"
      "\n"
      "Examples:\n"
      "  hloscope samples/mobilenet_v2.hlo\n"
      "  hloscope --theme dark --screenshot graph graph.png samples/mobilenet_v2.hlo\n"
      "\n"
      "Exit codes: 0 good, 1 a file could not be read or written, 2 wrong usage.\n");
}

}  // namespace hloscope::gui
