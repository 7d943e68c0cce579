/**
 * Brings a replica to the state of a journal: the newest sound snapshot of the same rules, then the commands after it. The result of each command
 * is compared with its recorded result.
 */
import type { FileSystem } from './file-system.js';
import type { Build, JournalLine } from './journal-line.js';
import type { Replica } from './saved-state.js';
import { ADVICE, type JournalFacts, type ScanEnd, START, scan } from './scan.js';
import { digestOf, type Position, segmentName } from './segment.js';
import { readSnapshot, type Snapshot } from './snapshot.js';
import { StoreDamage } from './store-error.js';

interface ReplayOptions {
  readonly files: FileSystem;
  readonly folder: string;
  readonly build: Build;
  readonly known: JournalFacts;
  readonly log: (text: string) => void;
  /** Do without snapshots. */
  readonly fromStart?: boolean;
  /** Absent: to the end. */
  readonly until?: Position;
}

/** Where the journal ends, and how many commands were applied to come there. */
export interface Replayed {
  readonly end: ScanEnd;
  readonly replayed: number;
}

/** Applies a journal to the initial state of a service. StoreError if they do not match. */
export async function replayInto(replica: Replica, options: ReplayOptions): Promise<Replayed> {
  const { files, folder, known } = options;
  const snapshot = options.fromStart === true ? undefined : await loadSnapshot(replica, options);
  const from = snapshot?.position ?? START;
  let written: Build = options.build;
  let replayed = 0;
  let checked = from.seq;
  const range = { from, until: options.until };
  const end = await scan(files, folder, known, range, (line, seq) => {
    if ('format' in line) written = line;
    else if ('command' in line) {
      applyLine(replica, line, { ...options, written });
      replayed += 1;
    } else {
      const same = checked === 0 ? 'at the start' : `after command ${checked - 1}`;
      const what = `the state after command ${seq - 1} is not what it was, and was the same ${same}`;
      if (replica.columns() !== line.check.columns) throw differs(what, { ...options, written });
      checked = seq;
    }
  });
  return { end, replayed };
}

async function loadSnapshot(replica: Replica, options: ReplayOptions): Promise<Snapshot | undefined> {
  const { files, folder, build, until, log } = options;
  // A state that other rules have made may mean something else to these.
  const isFit = ({ rules, position }: Omit<Snapshot, 'saved'>): boolean =>
    rules === build.rules && position.seq <= (until?.seq ?? Number.POSITIVE_INFINITY);
  const { found, damaged } = await readSnapshot(files, folder, isFit);
  for (const name of damaged) log(`${folder}/${name}: is damaged, and was not used; the journal has all that it held.`);
  if (found === undefined) return undefined;
  await requireUnchanged(options, found);
  replica.load(found.saved);
  if (replica.columns() !== found.columns) {
    throw new StoreDamage(
      `${folder}: the snapshot reads otherwise than it was written. Remove snapshot.json: the journal has all that it holds.`,
    );
  }
  return found;
}

/** Lines before a snapshot are not read one by one; that not a byte of them has changed is seen at once. */
async function requireUnchanged(
  { files, folder, known }: ReplayOptions,
  { position, segmentSha256 }: Snapshot,
): Promise<void> {
  const { segments } = known.manifest;
  for (let number = 1; number <= position.segment; number++) {
    const path = `${folder}/${segmentName(number)}`;
    const closed = number < position.segment ? segments[number - 1] : undefined;
    const wanted = closed ?? { bytes: position.bytes, sha256: segmentSha256 };
    // In a closed segment an additional byte is a change, too.
    const digest = await digestOf(files, path, wanted.bytes + (closed === undefined ? 0 : 1));
    if (digest.digest('hex') !== wanted.sha256) {
      throw new StoreDamage(
        `${path}: was changed or cut off within its first ${wanted.bytes} bytes; aips journal verify says where. ${ADVICE}`,
      );
    }
  }
}

type Applying = Pick<ReplayOptions, 'build' | 'folder'> & { readonly written: Build };

function applyLine(replica: Replica, line: Extract<JournalLine, { command: unknown }>, where: Applying): void {
  const { seq, command, state } = line;
  const otherwise = (how: string): StoreDamage =>
    differs(`command ${seq} (${command.name}) ${how}, and all before it is the same`, where);
  try {
    replica.apply(command);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw otherwise(`cannot be applied again: ${error.message}`);
  }
  if (replica.stateAfter(command) !== state) {
    throw otherwise('does not lead to what it led to when it was accepted');
  }
}

function differs(what: string, { folder, build, written }: Applying): StoreDamage {
  const same = written.version === build.version && written.rules === build.rules;
  const advice = same
    ? 'The rules are the same, so this is a bug or a damaged machine: report it with aips journal export.'
    : `It was written by version ${written.version}, with other rules than those of ${build.version}: start that version, or begin anew with another --data folder.`;
  return new StoreDamage(`${folder}: ${what}. ${advice}`);
}
