#!/bin/sh
# Makes the shipped models again, and the figures of their cards.
#   resources/models/remake.sh HLOSCOPE_CLI FOLDER PROGRAM...
# FOLDER takes data sets, models and figures; what is there already is not made again. The programs
# of the cards: *.before_optimizations.txt of the corpus "Whole programs from JAX" and
# unet_3d_layout_tuning.pb (samples/SOURCES.tsv says where that is from).
# The bytes are the same on processors with the same vector units; elsewhere the last digits differ.
set -eu
cli=$1
folder=$2
shift 2
mkdir -p "$folder"

split() { # DATA: random ones for figures, the least similar programs, and one without test part
  for seed in 1 2 3; do
    "$cli" dataset split "$1" --by random --name "random$seed" --seed "$seed" --valid 0.13 --test 0.2
  done
  "$cli" dataset split "$1" --by manual --valid 0.13 --test 0.2
  "$cli" dataset split "$1" --by random --name all --seed 1 --valid 0.13 --test 0
}

train() { # DATA SPLIT SEED STEPS OUTPUT
  [ -e "$5" ] || "$cli" train "$1" --split "$2" --seed "$3" --steps "$4" --patience 0 \
    --evaluate-every 250 --machine tpu_v3 -o "$5"
}

train_fast() { # DATA SPLIT SEED OUTPUT: sees the terms of the analytical model alone
  [ -e "$4" ] || "$cli" train "$1" --split "$2" --seed "$3" --steps 6000 --patience 0 \
    --evaluate-every 500 --machine tpu_v3 --preset terms --batch-nodes 2000 -o "$4"
}

fast_figures() { # DATA: the same with programs held out
  for seed in 1 2 3; do
    for split in random$seed manual; do
      train_fast "$1" "$split" "$seed" "$folder/fast_$split-$seed.safetensors"
      "$cli" evaluate "$1" "$folder/fast_$split-$seed.safetensors" --split "$split" --json \
        > "$folder/fast_$split-$seed.json"
    done
  done
}

figures() { # DATA STEPS NAME: the same recipe with programs held out
  for seed in 1 2 3; do
    for split in random$seed manual; do
      train "$1" "$split" "$seed" "$2" "$folder/$3_$split-$seed.safetensors"
      "$cli" evaluate "$1" "$folder/$3_$split-$seed.safetensors" --split "$split" --json \
        > "$folder/$3_$split-$seed.json"
    done
  done
}

ship() { # DATA STEPS NAME
  for seed in 1 2 3; do
    train "$1" all "$seed" "$2" "$folder/$3-$seed.safetensors"
  done
}

tiles=$folder/tiles.hloscope
kernels=$folder/kernels.hloscope
if [ ! -e "$tiles" ]; then
  "$cli" dataset generate "$@" -o "$tiles" --task tile --tiles 32 --configurations 8 --seed 1
  split "$tiles"
fi
if [ ! -e "$kernels" ]; then
  "$cli" dataset generate "$@" -o "$kernels" --configurations 30 --seed 1
  split "$kernels"
fi
ship "$tiles" 3000 tpu_v3_tile
ship "$kernels" 4000 tpu_v3_fusion
"$cli" ensemble "$kernels" "$folder"/tpu_v3_fusion-[123].safetensors --split all --part valid --write
train_fast "$kernels" all 1 "$folder/tpu_v3_fusion_fast-1.safetensors"
if [ "${FIGURES:-yes}" = yes ]; then
  figures "$tiles" 3000 tile
  figures "$kernels" 4000 fusion
  fast_figures "$kernels"
fi
