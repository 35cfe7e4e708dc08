#!/usr/bin/env bash
# A data set on machines that are reached by ssh: one shard at a time on each, copied back and
# merged here. Start it again for what is not finished: killed shards go on where they were.
#
#   samples/cluster/generate_over_ssh.sh HOSTS SHARDS OUTPUT PROGRAM_OR_FOLDER... [OPTION...]
#   samples/cluster/generate_over_ssh.sh hosts.txt 8 kernels.hloscope programs --configurations 100
#
# HOSTS: a file with a host per line, as ssh takes it (keys, not passwords; # starts a comment).
# Programs come first; those with relative paths are copied to the hosts, absolute paths must be
# there. OPTION: those of `hloscope-cli dataset generate`. HLOSCOPE_CLI: the program, here and on
# the hosts, when it is not on PATH. HLOSCOPE_REMOTE_DIR: where hosts work [hloscope-shards].
# Shards and logs stand in OUTPUT.shards. A host that fails is not asked again in this run: others
# take over.
set -euo pipefail

cli=${HLOSCOPE_CLI:-hloscope-cli}

# Shards of other programs or options must not be taken for finished ones of these.
check_command() {
  local folder=$1 command
  shift
  command=$(printf '%q ' "$@")
  if [[ -e $folder/command && $(<"$folder/command") != "$command" ]]; then
    echo "error: $folder holds the shards of another command: $(<"$folder/command")" >&2
    echo "  hint: remove that folder, or name another output" >&2
    exit 1
  fi
  printf '%s\n' "$command" >"$folder/command"
}

# Programs with relative paths go to the same paths of the host.
copy_programs() {
  local host=$1 files=() argument
  for argument in "${arguments[@]}"; do
    if [[ $argument == -* ]]; then break; fi
    if [[ ! -e $argument ]]; then argument=${argument%#*}; fi
    if [[ $argument != /* ]]; then files+=("$argument"); fi
  done
  # Without programs there is still the folder to make. The host gets the words as they are here.
  # shellcheck disable=SC2029
  tar -c -f - --files-from /dev/null -- "${files[@]}" |
    ssh "$host" "mkdir -p -- ${remote@Q} && tar -x -f - -C ${remote@Q}"
}

# Runs one shard on one host and brings it here. What an earlier run has left working on it there is
# waited for.
run_shard() {
  local host=$1 i=$2 shard=$2/$base command
  copy_programs "$host"
  command=$(printf '%q ' "$cli" dataset generate "${arguments[@]}" -o "$shard" \
    --shard "$i/$shards")
  command="test -e ${shard@Q} || $command"
  # shellcheck disable=SC2029
  ssh -n "$host" "cd -- ${remote@Q} && mkdir -p $i && flock $i/lock bash -c ${command@Q}"
  mkdir -p -- "$folder/$i"
  scp -q "$host:$remote/$shard" "$folder/$shard.copy"
  mv -- "$folder/$shard.copy" "$folder/$shard"
}

missing_shards() {
  local i
  for ((i = 0; i < shards; ++i)); do
    if [[ ! -e $folder/$i/$base ]]; then echo "$i"; fi
  done
}

stop() {
  local job
  for job in "${jobs[@]}"; do kill -- "-$job" 2>/dev/null || true; done
  echo "stopped: give the same command to go on" >&2
  exit 1
}

# A shard for each host that still answers; drops those that fail.
run_round() {
  local missing=() good=() i
  jobs=()
  mapfile -t missing < <(missing_shards)
  for ((i = 0; i < ${#hosts[@]} && i < ${#missing[@]}; ++i)); do
    echo "shard ${missing[i]} of $shards on ${hosts[i]}"
    # In a shell of its own: `set -e` does not hold in what `if` and `||` ask.
    (run_shard "${hosts[i]}" "${missing[i]}") >>"$folder/${missing[i]}.log" 2>&1 &
    jobs+=("$!")
  done
  for ((i = 0; i < ${#hosts[@]}; ++i)); do
    if ((i >= ${#jobs[@]})) || wait "${jobs[i]}"; then
      good+=("${hosts[i]}")
    else
      echo "${hosts[i]} failed: see $folder/${missing[i]}.log" >&2
    fi
  done
  hosts=("${good[@]}")
}

if (($# < 4)) || [[ ! $2 =~ ^[1-9][0-9]*$ ]]; then
  sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
mapfile -t hosts < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' -- "$1")
shards=$2
output=$3
arguments=("${@:4}")
if [[ -e $output ]]; then
  echo "$output is there already"
  exit 0
fi
folder=$output.shards
mkdir -p -- "$folder"
check_command "$folder" "$shards" "${arguments[@]}"
# The file of a shard has the name of the output, as the data set is named after it.
base=$(basename -- "$output")
# Another command works in another folder of the hosts.
remote=${HLOSCOPE_REMOTE_DIR:-hloscope-shards}/$(cksum <"$folder/command" | tr -s ' ' -)

jobs=()
set -m # Every job is a process group, which stop() ends.
trap stop INT TERM
files=()
for ((i = 0; i < shards; ++i)); do files+=("$folder/$i/$base"); done
while [[ -n $(missing_shards) ]]; do
  if ((${#hosts[@]} == 0)); then
    echo "error: no host is left, $(missing_shards | wc -l) of $shards shards are not finished" >&2
    echo "  hint: see the logs in $folder, then give the same command to go on" >&2
    exit 1
  fi
  run_round
done
"$cli" dataset merge "${files[@]}" -o "$output"
