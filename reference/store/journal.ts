/**
 * The journal: a file of accepted commands, each linked to those before it by a hash, from which the state can be
 * rebuilt. It only stores commands; http/server/replay.ts applies them.
 */

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../beats/canonical-json.js';

/** One accepted command, with all that is needed to apply it again. */
export interface Command {
  /** When it was applied, Unix ms of the service's clock. */
  readonly at: number;
  /**
   * The id of the endpoint; `control:`, method and path of a control call; `rpc:` and a method; `webhook:settle`; or
   * `clock:tick`.
   */
  readonly name: string;
  /** The row of the authenticated agent; -1 without one. */
  readonly agent: number;
  /** The number of the authenticated partner; absent or -1 without one. */
  readonly partner?: number;
  /** The body as its schema parsed it; null for a call without one. */
  readonly body: unknown;
  /** Headers and path parameters on which the command depends. */
  readonly given: Readonly<Record<string, string>>;
  /**
   * The payment as it was seen on another ledger, so that it need not be looked up again; absent with the service's
   * own.
   */
  readonly observed?: unknown;
}

/** A line of the file. `link` is a hash over the command and the link before it. */
interface Entry {
  readonly seq: number;
  readonly command: Command;
  readonly link: string;
}

/** An open journal. Its file holds exactly the commands that were accepted. */
export interface Journal {
  readonly path: string;
  /** When the service of this journal started, Unix ms; for an existing file the time in it. */
  readonly startMs: number;
  /** The commands that the file contained when it was opened. */
  readonly commands: readonly Command[];
  /** The bytes of a last line that a crash cut off, which were dropped; 0 after a clean stop. */
  readonly droppedBytes: number;
  /** Appends a command, and returns when it is on disk. Throws Node's error if that fails. */
  readonly append: (command: Command) => void;
  readonly close: () => void;
}

/** A journal that cannot be used; the message tells why and where. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

const FILE = 'journal.ndjson';
const LOCK = 'journal.lock';

function linkOf(previous: string, body: unknown): string {
  return createHash('sha256').update(previous).update(canonicalJson(body)).digest('hex');
}

/** The options on which the effect of commands depends, without the start time. */
export type JournalOwner = Readonly<Record<string, unknown>>;

/**
 * Opens the journal of a folder, or starts one at `startMs`. A file with another owner is refused, since its commands
 * would lead to another state. A last line without an end is the mark of a crash, and is dropped.
 */
export function openJournal(folder: string, owner: JournalOwner, startMs: number): Journal {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const path = join(folder, FILE);
  const lock = join(folder, LOCK);
  takeLock(lock);
  try {
    return openLocked(path, lock, owner, startMs);
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  }
}

/** The owner of a folder's journal; undefined without one. The file is not checked; opening it does that. */
export function journalOwner(folder: string): JournalOwner | undefined {
  const path = join(folder, FILE);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  // A crash during the first write: there is no journal yet.
  if (!text.includes('\n')) return undefined;
  const line = text.slice(0, text.indexOf('\n'));
  const { owner } = parseLine(path, line, 1) as { readonly owner?: unknown };
  return typeof owner === 'object' && owner !== null ? (owner as JournalOwner) : undefined;
}

/** One process writes a journal: two would each continue the chain and break it. */
function takeLock(lock: string): void {
  const mine = `${process.pid}\n`;
  try {
    writeFileSync(lock, mine, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const holder = Number(readFileSync(lock, 'utf8'));
    if (isRunning(holder)) {
      throw new JournalError(
        `${lock}: process ${holder} is using this folder. Stop it, or give another --data folder.`,
      );
    }
    // The process that held the lock was killed.
    writeFileSync(lock, mine);
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function openLocked(path: string, lock: string, owner: JournalOwner, startMs: number): Journal {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const droppedBytes = Buffer.byteLength(text) - Buffer.byteLength(whole);
  const past = whole === '' ? undefined : readLines(path, whole.split('\n').slice(0, -1), owner);
  const file = openSync(path, 'a', 0o600);
  if (droppedBytes > 0) ftruncateSync(file, Buffer.byteLength(whole));
  const write = (line: object): void => {
    writeSync(file, `${JSON.stringify(line)}\n`);
    fdatasyncSync(file);
  };
  const head = { owner, start_ms: startMs };
  let link = past?.link ?? linkOf('', head);
  let seq = past?.commands.length ?? 0;
  if (past === undefined) write({ ...head, link });
  return {
    path,
    startMs: past?.startMs ?? startMs,
    commands: past?.commands ?? [],
    droppedBytes,
    append: (command) => {
      link = linkOf(link, { seq, command });
      write({ seq, command, link } satisfies Entry);
      seq += 1;
    },
    close: () => {
      closeSync(file);
      rmSync(lock, { force: true });
    },
  };
}

interface JournalHistory {
  readonly startMs: number;
  readonly commands: readonly Command[];
  readonly link: string;
}

function readLines(path: string, lines: readonly string[], owner: JournalOwner): JournalHistory {
  const parsed = lines.map((line, i) => parseLine(path, line, i + 1));
  const [head, ...rest] = parsed as [{ owner?: unknown; start_ms?: unknown; link?: unknown }, ...Entry[]];
  if (canonicalJson(head.owner ?? null) !== canonicalJson(owner)) {
    const advice = 'Start with the options it was made with, or give another --data folder.';
    throw new JournalError(`${path}:1: this journal is of a service with other options. ${advice}`);
  }
  const startMs = Number(head.start_ms);
  let link = linkOf('', { owner, start_ms: startMs });
  const broken = (line: number): JournalError =>
    new JournalError(`${path}:${line}: this line was changed, or one before it is missing: its link does not hold.`);
  if (head.link !== link) throw broken(1);
  const commands = rest.map(({ seq, command, link: given }, i) => {
    if (seq !== i || typeof command !== 'object') throw broken(i + 2);
    link = linkOf(link, { seq, command });
    if (given !== link) throw broken(i + 2);
    return command;
  });
  return { startMs, commands, link };
}

function parseLine(path: string, line: string, number: number): unknown {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new JournalError(`${path}:${number}: this line is not a JSON object.`);
}
