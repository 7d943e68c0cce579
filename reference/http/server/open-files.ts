/** How many files and sockets this process may have open. It opens none. */

import { existsSync, readFileSync } from 'node:fs';

const LIMITS = '/proc/self/limits';

/** The most files that this process may have open at once; infinite where the system sets no limit. */
export function openFilesMax(): number {
  if (existsSync(LIMITS)) return softLimit(/^Max open files +(\S+)/m.exec(readFileSync(LIMITS, 'latin1'))?.[1]);
  // Elsewhere Node knows it, as a part of a report that takes some milliseconds.
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  return softLimit(report.userLimits?.open_files?.soft);
}

function softLimit(limit: number | string | undefined): number {
  const files = Number(limit);
  return Number.isInteger(files) && files > 0 ? files : Number.POSITIVE_INFINITY;
}

/** Connections at once, however many files may be open. */
const CONNECTIONS_MAX = 4_000;
/** Files that a server has open, in addition to a quarter for journal, threads and calls to other servers. */
const OWN_FILES = 32;

/** Connections that leave enough files for the journal, threads and calls to others. */
export function connectionsWithin(openFiles: number): number {
  return Math.max(1, Math.min(CONNECTIONS_MAX, Math.floor(openFiles * 0.75) - OWN_FILES));
}
