/**
 * One crash, from a seed: a store is written under faults until it stops, fails or loses its power, then opened again and held
 * against what was acknowledged before.
 */
import { KNOWN } from '../../reference/store/known-position.js';
import { type OpenStore, openStore, type Store } from '../../reference/store/open-store.js';
import { StoreError } from '../../reference/store/store-error.js';
import { takeSnapshot } from '../../reference/store/take-snapshot.js';
import { Chance } from './chance.js';
import { CounterReplica, numbered } from './counter-replica.js';
import { FaultyDisk, type Lie, PowerLoss } from './faulty-disk.js';

const FOLDER = '/data';
const build = { version: '0.0.0-test', rules: 'f'.repeat(64) };

/** The result of a run. */
export interface CrashOutcome {
  readonly seed: number;
  readonly acknowledged: number;
  readonly recovered: number;
  /** How each life of the store ended. */
  readonly ends: readonly string[];
  /** A promise that was broken; null when all were kept. */
  readonly broken: string | null;
}

/** Everything that was reported about one folder, over its lives. */
interface History {
  /** Numbers in the order in which they were appended; the first `acknowledged` of them are promised. */
  appended: number[];
  acknowledged: number;
  next: number;
}

function open(disk: FaultyDisk, replica: CounterReplica, onFailure: () => void): Promise<Store> {
  const options = {
    files: disk.files,
    folder: FOLDER,
    build,
    owner: { of: 'tests' },
    startMs: 1_000,
    segmentBytes: 4_096,
    pause: async () => undefined,
  };
  return openStore({ ...options, log: () => undefined, onFailure }).then((opened: OpenStore) =>
    opened.recover(replica),
  );
}

/** Writes for a while. Whatever is settled with true is acknowledged. */
async function live(
  store: Store,
  replica: CounterReplica,
  disk: FaultyDisk,
  chance: Chance,
  history: History,
): Promise<void> {
  const { journal } = store;
  const turns = 1 + chance.below(24);
  for (let turn = 0; turn < turns && !journal.failed; turn++) {
    for (let each = chance.below(6); each >= 0; each--) accept(journal, replica, chance, history);
    if (chance.happens(0.2)) journal.appendCheck(replica.columns());
    const appended = history.appended.length;
    const settled = journal.settled();
    const told = settled === undefined ? Promise.resolve(true) : settled;
    const acknowledge = told.then((onDisk) => {
      if (onDisk) history.acknowledged = Math.max(history.acknowledged, appended);
    });
    if (chance.happens(0.7)) await acknowledge;
    if (chance.happens(0.1)) await snapshot(disk);
  }
  await journal.settled();
}

function accept(journal: Store['journal'], replica: CounterReplica, chance: Chance, history: History): void {
  const command = numbered(history.next, chance.below(chance.happens(0.1) ? 3_000 : 120));
  replica.apply(command);
  journal.append(command, replica.stateAfter());
  history.appended.push(history.next);
  history.next += 1;
}

/** Takes a snapshot like another process: it reports no failure of the disk. */
async function snapshot(disk: FaultyDisk): Promise<void> {
  try {
    await takeSnapshot(new CounterReplica(), { files: disk.files, folder: FOLDER, build });
  } catch (error) {
    if (error instanceof PowerLoss || !(error instanceof Error && 'code' in error)) throw error;
  }
}

/** A recovered state is what was acknowledged, and perhaps some of what came right after it. */
function brokenPromise(history: History, recovered: readonly number[]): string | null {
  const kept = history.appended.slice(0, recovered.length);
  if (recovered.length < history.acknowledged)
    return `${history.acknowledged} were acknowledged and ${recovered.length} are there`;
  if (recovered.length > history.appended.length || kept.some((n, i) => n !== recovered[i]))
    return 'the commands are not those that were appended';
  return null;
}

/** Which kinds of faults a run has. */
type FaultKind = 'none' | 'power' | 'kill' | 'eio' | 'full' | 'files';

async function oneLife(disk: FaultyDisk, kind: FaultKind, chance: Chance, history: History): Promise<string> {
  const replica = new CounterReplica();
  let store: Store | undefined;
  try {
    if (kind === 'power') disk.losePowerAfter(chance.below(chance.happens(0.3) ? 40 : 220));
    if (kind === 'eio') disk.setRates({ shortWrite: 0.1, eio: chance.happens(0.5) ? 0.02 : 0.1 });
    if (kind === 'full') disk.setRoom(chance.below(20_000));
    store = await open(disk, replica, () => undefined);
    const broken = brokenPromise(history, replica.bodies);
    if (broken !== null) return `broken: ${broken}`;
    history.appended = [...replica.bodies];
    history.acknowledged = history.appended.length;
    if (kind === 'files') disk.failOpens(Array.from({ length: 1 + chance.below(9) }, () => 'EMFILE'));
    await live(store, replica, disk, chance, history);
    if (kind === 'files' && store.journal.failed) return 'broken: too many open files were taken for a failed disk';
    if (kind === 'kill') return 'killed';
    const failed = store.journal.failed;
    await store.close();
    return failed ? 'failed' : 'closed';
  } catch (error) {
    if (error instanceof PowerLoss) return 'power lost';
    if (error instanceof StoreError) return `broken: refused to open: ${error.message}`;
    if (error instanceof Error && 'code' in error) return 'failed at its start';
    throw error;
  }
}

/** Damage to a folder while no process uses it. It may go unnoticed only where it took nothing away. */
type Damage = 'bit' | 'lines' | 'end' | 'file' | 'none';

function damage(disk: FaultyDisk, chance: Chance): Damage {
  const kind = chance.pick<Damage>(['bit', 'bit', 'lines', 'end', 'file', 'none', 'none', 'none', 'none']);
  const names = disk.names();
  if (kind === 'none' || names.length === 0) return 'none';
  const journals = names.filter((name) => name.endsWith('.ndjson'));
  // The journal and the file that says how far it reaches lose their ends together.
  if (kind === 'end') disk.drop(`${FOLDER}/${KNOWN}`);
  if (kind === 'lines' || kind === 'end')
    disk.edit(journals.at(-1) as string, (content) => withoutLastLines(content, 1 + chance.below(3)));
  else if (kind === 'file') disk.drop(chance.pick(journals));
  else disk.edit(chance.pick(names), (content) => withBitFlipped(content, chance));
  return kind;
}

function withoutLastLines(content: Buffer, count: number): Buffer {
  const lines = content.toString('latin1').split('\n').slice(0, -1);
  return Buffer.from(
    lines
      .slice(0, -count)
      .map((line) => `${line}\n`)
      .join(''),
    'latin1',
  );
}

function withBitFlipped(content: Buffer, chance: Chance): Buffer {
  const at = chance.below(content.length);
  if (content.length > 0) content[at] = (content[at] as number) ^ (1 << chance.below(8));
  return content;
}

/** Lives of one folder, each ended by a fault or by none, then perhaps some damage, and a life without faults. */
export async function crashRun(seed: number, { lie }: { readonly lie?: Lie } = {}): Promise<CrashOutcome> {
  const chance = new Chance(seed);
  const disk = new FaultyDisk(chance, {}, lie);
  const history: History = { appended: [], acknowledged: 0, next: 0 };
  const ends: string[] = [];
  let damaged: Damage = 'none';
  /** Whether the disk has the word of how far the journal reaches. */
  let isKnown = true;
  for (let lives = 1 + chance.below(3); lives >= 0; lives--) {
    const kind =
      lives === 0 ? 'none' : chance.pick<FaultKind>(['power', 'power', 'kill', 'eio', 'full', 'files', 'none']);
    const end = await oneLife(disk, kind, chance, history);
    ends.push(`${kind}: ${damaged === 'none' || !end.startsWith('broken: refused') ? end : 'damage noticed'}`);
    if (end.startsWith('broken')) {
      const broken = damaged !== 'none' && end.startsWith('broken: refused') ? null : end;
      return { seed, acknowledged: history.acknowledged, recovered: 0, ends, broken };
    }
    const powerWent = disk.isOff;
    if (powerWent) disk.restart();
    else disk.kill();
    disk.setRates({ shortWrite: 0.1 });
    // A power cut loses the record of how much of the journal is on the disk. A completed start writes it again. Damage before that
    // is a second fault at once.
    isKnown = powerWent ? false : isKnown || end !== 'failed at its start';
    if (lives === 1 && isKnown) damaged = damage(disk, chance);
  }
  return { seed, acknowledged: history.acknowledged, recovered: history.appended.length, ends, broken: null };
}
