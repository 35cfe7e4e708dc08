# Sourced by app/run and tests/run: installs what is missing, configures and builds a preset.
# Every step says in one line what it does.

hloscope_packages="g++ cmake ninja-build ccache pkg-config ca-certificates
  qt6-base-dev qt6-charts-dev libqt6opengl6-dev libsqlite3-dev nlohmann-json3-dev
  libcli11-dev libfmt-dev libexpected-dev libprotobuf-dev protobuf-compiler zlib1g-dev libzip-dev
  libxxhash-dev libdnnl-dev libeigen3-dev fonts-dejavu-core"

say() { printf '== %s\n' "$*"; }

# install_packages NAME...: those that are not installed yet, by apt-get, with sudo when not root.
install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "all needed packages are installed"
    return
  fi
  if ! command -v apt-get >/dev/null; then
    say "apt-get is not here; please install by hand what corresponds to: ${missing[*]}"
    exit 1
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "please install as root: apt-get install --no-install-recommends ${missing[*]}"
      exit 1
    fi
    as_root=(sudo)
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
           "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log"
    say "the packages could not be installed (whole output: $log)"
    exit 1
  fi
  rm -f "$log"
}

# build_preset PRESET TARGET...: configures build/PRESET when needed and builds the targets.
build_preset() {
  local preset=$1 log
  shift
  log=build/$preset.log
  mkdir -p build
  if [ ! -f "build/$preset/build.ninja" ]; then
    say "configuring build/$preset"
    cmake --preset "$preset" >"$log" 2>&1 || { cat "$log"; exit 1; }
  fi
  say "building build/$preset ($(nproc) jobs)"
  cmake --build --preset "$preset" --target "$@" >"$log" 2>&1 ||
    { grep -E 'error|FAILED|CMake' "$log" | head -n 40; say "the build failed (whole output: $log)"; exit 1; }
}
