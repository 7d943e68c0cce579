#!/bin/bash
# A sweep as a Slurm array: each task plays one shard, and a last job merges them.
#
#   mkdir -p out && array=$(sbatch --parsable --array=1-20 examples/slurm-sweep.sh sweep.yaml out)
#   sbatch --dependency=afterok:$array --wrap 'aips experiment merge out/shard-* --out out/all'
#
#SBATCH --job-name=aips-sweep
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --requeue
set -eu
sweep=$1
out=$2/shard-$SLURM_ARRAY_TASK_ID
shard=$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT

# A task that was requeued goes on where it was stopped.
if [ -e "$out/sweep.json" ]; then
  exec aips experiment resume "$out" --shard "$shard" --threads "$SLURM_CPUS_PER_TASK"
fi
exec aips experiment sweep "$sweep" --shard "$shard" --threads "$SLURM_CPUS_PER_TASK" --out "$out"
