/**
 * A state of a journal's commands on the disk, so that a start need not apply all of them: `snapshot.json`, kept by lowdb
 * through the store's port, and a file of columns next to it. The one before stays, for the case that the newest is damaged.
 */
import { createHash, hash } from 'node:crypto';
import { type Adapter, Low } from 'lowdb';
import { type FileSystem, readWhole, removeIfThere, UNFINISHED, writeNew } from './file-system.js';
import type { Build } from './journal-line.js';
import { positionSchema } from './manifest.js';
import type { Column, SavedState } from './saved-state.js';
import type { Position } from './segment.js';

/** The version of a snapshot's format and content. */
const FORM = 3;
/** The name of the newest snapshot. */
export const SNAPSHOT = 'snapshot.json';
const PREVIOUS = 'snapshot.previous.json';
const COLUMNS = /^snapshot-\d{12}-[0-9a-f]{8}\.columns$/;

const kinds = { u8: Uint8Array, i32: Int32Array, f64: Float64Array } as const;
type Kind = keyof typeof kinds;

/** The place of a part of the state in the file of columns. */
interface Part {
  readonly at: number;
  readonly bytes: number;
  /** The kind of a column; absent for a list, whose bytes are lines of JSON, each a list of its own. */
  readonly kind?: Kind;
}

/** The content of `snapshot.json`. */
interface SnapshotFile extends Build {
  readonly form: typeof FORM;
  readonly position: Position;
  /** SHA-256 of the journal's segment up to there. */
  readonly segmentSha256: string;
  /** A checksum of the columns, as `Replica.columns` makes it. */
  readonly columns: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly parts: Readonly<Record<string, Part>>;
  readonly tables: SavedState['tables'];
}

const FORM_OF_FILE = /^\{"sha256":"([0-9a-f]{64})","snapshot":$/;
const HEAD_BYTES = '{"sha256":"","snapshot":'.length + 64;
const FOOT = '}\n';

/** lowdb's data in a file of the store's port, with a digest. A file with another content is read as missing. */
class PortAdapter implements Adapter<SnapshotFile | null> {
  constructor(
    private readonly files: FileSystem,
    private readonly folder: string,
    private readonly name: string,
  ) {}

  async read(): Promise<SnapshotFile | null> {
    const bytes = await readWhole(this.files, `${this.folder}/${this.name}`);
    if (bytes === undefined) return null;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const digest = FORM_OF_FILE.exec(text.toString('latin1', 0, HEAD_BYTES))?.[1];
    const said = text.subarray(HEAD_BYTES, text.length - FOOT.length);
    if (digest === undefined || hash('sha256', said) !== digest) return null;
    return JSON.parse(said.toString('utf8')) as SnapshotFile;
  }

  /** Written under another name, then in the place of the one that is there, which becomes the previous one. */
  async write(data: SnapshotFile | null): Promise<void> {
    const said = Buffer.from(JSON.stringify(data), 'utf8');
    const head = Buffer.from(`{"sha256":"${hash('sha256', said)}","snapshot":`);
    const path = `${this.folder}/${this.name}`;
    await removeIfThere(this.files, `${path}${UNFINISHED}`);
    await writeNew(this.files, `${path}${UNFINISHED}`, [head, said, Buffer.from(FOOT)]);
    const names = await this.files.list(this.folder);
    if (names.includes(this.name)) await this.files.rename(path, `${this.folder}/${PREVIOUS}`);
    await this.files.rename(`${path}${UNFINISHED}`, path);
    await this.files.syncFolder(this.folder);
  }
}

const ALIGNED = 8;
/** Items of a list that share a line of JSON. */
const ITEMS_A_LINE = 4_096;

function* linesOf(items: readonly unknown[]): Generator<Buffer> {
  for (let i = 0; i < items.length; i += ITEMS_A_LINE) {
    yield Buffer.from(`${JSON.stringify(items.slice(i, i + ITEMS_A_LINE))}\n`, 'utf8');
  }
}

function itemsOf(bytes: Buffer): unknown[] {
  const items: unknown[] = [];
  for (let begin = 0; begin < bytes.length; ) {
    const stop = bytes.indexOf('\n', begin);
    for (const item of JSON.parse(bytes.toString('utf8', begin, stop)) as unknown[]) items.push(item);
    begin = stop + 1;
  }
  return items;
}

function kindOf(column: Column): Kind {
  return column instanceof Uint8Array ? 'u8' : column instanceof Int32Array ? 'i32' : 'f64';
}

/** The file of columns, piece by piece; `parts` and `digest` are complete once it has been read to its end. */
function layOut(saved: SavedState) {
  const parts: Record<string, Part> = {};
  const digest = createHash('sha256');
  let at = 0;
  const put = (bytes: Uint8Array): Uint8Array => {
    at += bytes.length;
    digest.update(bytes);
    return bytes;
  };
  function* pieces(): Generator<Uint8Array> {
    for (const [name, column] of Object.entries(saved.columns)) {
      parts[name] = { at, bytes: column.byteLength, kind: kindOf(column) };
      yield put(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
      // Columns begin where an array of eight-byte numbers can.
      yield put(new Uint8Array((ALIGNED - (at % ALIGNED)) % ALIGNED));
    }
    for (const [name, items] of Object.entries(saved.lists)) {
      const begin = at;
      for (const line of linesOf(items)) yield put(line);
      parts[name] = { at: begin, bytes: at - begin };
    }
  }
  return { pieces: pieces(), parts, end: () => ({ bytes: at, sha256: digest.digest('hex') }) };
}

/** Every file of snapshots. */
export const SNAPSHOTS: readonly RegExp[] = [/^snapshot(\.previous)?\.json$/, COLUMNS];

/** A snapshot: the state after the commands before `position`. */
export interface Snapshot extends Build {
  readonly position: Position;
  readonly segmentSha256: string;
  readonly columns: string;
  readonly saved: SavedState;
}

/** Keeps a snapshot as the newest of a folder, and drops all but the one before. */
export async function writeSnapshot(files: FileSystem, folder: string, snapshot: Snapshot): Promise<void> {
  const { saved, position, segmentSha256, version, rules, columns } = snapshot;
  const name = `snapshot-${String(position.seq).padStart(12, '0')}-${rules.slice(0, 8)}.columns`;
  const db = new Low<SnapshotFile | null>(new PortAdapter(files, folder, SNAPSHOT), null);
  await db.read();
  // The very same commands lead to the very same state.
  if (db.data?.form === FORM && db.data.file === name && (await isWhole(files, folder, db.data))) return;
  await removeIfThere(files, `${folder}/${name}`);
  const { pieces, parts, end } = layOut(saved);
  await writeNew(files, `${folder}/${name}`, pieces);
  const said = { form: FORM, version, rules, position, segmentSha256, columns, file: name, ...end(), parts } as const;
  db.data = { ...said, tables: saved.tables };
  await db.write();
  await dropUnnamed(files, folder);
}

async function isWhole(files: FileSystem, folder: string, file: SnapshotFile): Promise<boolean> {
  return (await columnsFile(files, folder, file)) !== undefined;
}

async function columnsFile(files: FileSystem, folder: string, file: SnapshotFile): Promise<Uint8Array | undefined> {
  const bytes = await readWhole(files, `${folder}/${file.file}`);
  return bytes !== undefined && bytes.length === file.bytes && hash('sha256', bytes) === file.sha256
    ? bytes
    : undefined;
}

/** Removes files of columns that no snapshot names. */
async function dropUnnamed(files: FileSystem, folder: string): Promise<void> {
  const named = await Promise.all([SNAPSHOT, PREVIOUS].map((name) => new PortAdapter(files, folder, name).read()));
  const kept = new Set(named.map((file) => file?.file));
  for (const name of await files.list(folder)) {
    if (COLUMNS.test(name) && !kept.has(name)) await removeIfThere(files, `${folder}/${name}`);
  }
}

/** The newest sound snapshot that was wanted, and the names of files that are damaged. */
interface FoundSnapshot {
  readonly found: (Snapshot & { readonly file: string }) | undefined;
  readonly damaged: readonly string[];
}

/** The places in the journal at which the snapshots of a folder were made, of whichever rules and form, with the names of their files. */
export async function snapshotPositions(files: FileSystem, folder: string) {
  const names = await files.list(folder);
  const kept = [SNAPSHOT, PREVIOUS].filter((each) => names.includes(each));
  const read = kept.map(async (by) => {
    const file = await new PortAdapter(files, folder, by).read();
    const { success, data } = positionSchema.safeParse(file?.position);
    return success ? [{ ...data, by }] : [];
  });
  return (await Promise.all(read)).flat();
}

/** Reads the newest sound snapshot of a folder that `wanted` agrees to. Others are not read further than their first file. */
export async function readSnapshot(
  files: FileSystem,
  folder: string,
  wanted: (snapshot: Omit<Snapshot, 'saved'>) => boolean,
): Promise<FoundSnapshot> {
  const damaged: string[] = [];
  const names = await files.list(folder);
  for (const name of [SNAPSHOT, PREVIOUS].filter((each) => names.includes(each))) {
    const db = new Low<SnapshotFile | null>(new PortAdapter(files, folder, name), null);
    await db.read();
    const file = db.data;
    if (file === null) damaged.push(name);
    else if (file.form !== FORM || !wanted(file)) continue;
    else {
      const bytes = await columnsFile(files, folder, file);
      if (bytes === undefined) damaged.push(file.file);
      else return { found: { ...file, saved: savedOf(file, bytes) }, damaged };
    }
  }
  return { found: undefined, damaged };
}

function savedOf({ parts, tables }: SnapshotFile, bytes: Uint8Array): SavedState {
  const columns: Record<string, Column> = {};
  const lists: Record<string, readonly unknown[]> = {};
  for (const [name, { at, bytes: length, kind }] of Object.entries(parts)) {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset + at, length);
    if (kind === undefined) lists[name] = itemsOf(part);
    else columns[name] = columnOf(kinds[kind], part);
  }
  return { tables, lists, columns };
}

/** A column over bytes of a file: a view, where it begins as its numbers have to. Loading copies it. */
function columnOf(Kind: (typeof kinds)[Kind], bytes: Buffer): Column {
  const aligned = bytes.byteOffset % Kind.BYTES_PER_ELEMENT === 0 ? bytes : new Uint8Array(bytes);
  return new Kind(aligned.buffer as ArrayBuffer, aligned.byteOffset, bytes.length / Kind.BYTES_PER_ELEMENT);
}
