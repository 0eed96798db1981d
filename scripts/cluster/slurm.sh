#!/usr/bin/env bash
# A run shared by the tasks of a Slurm job, one shard each. On a cluster whose nodes all see the same folder:
#     sbatch --ntasks=8 --ntasks-per-node=1 scripts/cluster/slurm.sh Profiles/mixed-fleet.json hosts.json Results/launch
# HOSTS is what `pushbench mock` printed. When all is done: pushbench merge RESULTS/shard-*
#SBATCH --job-name=pushbench
#SBATCH --output=pushbench-%j.log
set -euo pipefail

[[ $# == 3 ]] || {
    echo "usage: sbatch --ntasks=N scripts/cluster/slurm.sh PROFILE HOSTS RESULTS" >&2
    exit 64
}
profile=$1 hosts=$2 results=$3
pushbench=${PUSHBENCH:-.build/release/pushbench}
mkdir -p "$results"

# exec, so that the signals of scancel reach it and its exit code is the job's; without --kill-on-bad-exit a shard that
# fails takes the others with it.
# shellcheck disable=SC2016 # SLURM_PROCID is each task's own.
exec srun --kill-on-bad-exit=0 bash -c 'exec "$0" run "$1" --hosts "$2" --shards auto --start-gate "$3/gate" \
    --out "$3/shard-$((SLURM_PROCID + 1))" --quiet' "$pushbench" "$profile" "$hosts" "$results"
