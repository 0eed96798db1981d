#!/usr/bin/env bash
# A run shared by the processes of Open MPI, one shard each, on the hosts of a host file:
#     scripts/cluster/mpi.sh 8 hostfile Profiles/mixed-fleet.json hosts.json Results/launch
# Options of mpirun stand in MPIRUN_OPTIONS, such as "--oversubscribe --allow-run-as-root".
set -euo pipefail

[[ $# == 5 ]] || {
    echo "usage: scripts/cluster/mpi.sh N HOSTFILE PROFILE HOSTS RESULTS" >&2
    exit 64
}
pushbench=${PUSHBENCH:-.build/release/pushbench}
mkdir -p "$5"
read -ra options <<<"${MPIRUN_OPTIONS-}"
# A shard that fails must not end the others: what they did is a result, which the merge calls INVALID and says why.
# shellcheck disable=SC2016 # OMPI_COMM_WORLD_RANK is each process's own.
exec mpirun "${options[@]}" --mca orte_abort_on_non_zero_status 0 -np "$1" --hostfile "$2" \
    bash -c 'exec "$0" run "$1" --hosts "$2" --shards auto --start-gate "$3/gate" \
    --out "$3/shard-$((OMPI_COMM_WORLD_RANK + 1))" --quiet' "$pushbench" "$3" "$4" "$5"
