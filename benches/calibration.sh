#!/bin/sh
# Simulates contests with known skills. Prints for every rating system whose sigma is an uncertainty
# how many skills are within mu ± 2 sigma and above mu − 3 sigma, and the metric `surprise`.
#
#     benches/calibration.sh [--no-dnf] [--no-drift] [SYSTEM…]    (such as elo-mmr:dnf=drop)
#
# The contests are the same on every machine.
set -eu

root=$(cd -- "$(dirname -- "$0")/.." && pwd)
exec cargo bench --quiet --locked --manifest-path "$root/Cargo.toml" -p ranklore-replay \
    --bench calibration -- "$@"
