/** The CPU and the memory of another process, as Linux reports them. Nothing is started here. */

import { readFileSync } from 'node:fs';

/** CPU seconds of a process so far, all its threads together. */
export function cpuSecOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const TICKS_A_SEC = 100;
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SEC;
}

/** Memory that a process has now, in MiB. */
export function rssMbOf(pid: number): number {
  const PAGE_BYTES = 4_096;
  return (Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES) / 2 ** 20;
}
