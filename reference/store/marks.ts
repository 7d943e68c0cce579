/**
 * Marks: the files next to a journal each name a place that was on the disk. A journal without such a place has lost
 * commands, or is another one than it was.
 */
import type { FileSystem } from './file-system.js';
import { KNOWN, type KnownState, readKnown } from './known-position.js';
import { MANIFEST, type Manifest } from './manifest.js';
import type { Position } from './segment.js';
import { snapshotPositions } from './snapshot.js';
import { StoreDamage } from './store-error.js';

/** A place in a journal, and the name of the file that says so. */
export interface Mark extends Position {
  readonly by: string;
}

export interface Marks {
  readonly marks: readonly Mark[];
  readonly known: KnownState;
}

/** Reads the marks other than the manifest. Snapshots come first, and the known position after them, so that later writes of a running server lie behind it. */
export async function readMarks(files: FileSystem, folder: string): Promise<Marks> {
  const snapshots = await snapshotPositions(files, folder);
  const { positions, state } = await readKnown(files, folder);
  return { marks: [...snapshots, ...positions.map((position) => ({ ...position, by: KNOWN }))], known: state };
}

/** All marks, with the manifest's own. */
export function allMarks({ marks }: Marks, manifest: Manifest): readonly Mark[] {
  return [...marks, { ...manifest.known, by: MANIFEST }];
}

/**
 * The reason why the end of a journal is not sure; null where the file that is written with each group says it, or the manifest of a
 * clean stop.
 */
export function unsureEnd(folder: string, { known }: Marks, { closed }: Manifest): StoreDamage | null {
  if (closed || known === 'whole' || known === 'half') return null;
  return new StoreDamage(
    `${folder}/${KNOWN}: is ${known}, and the server was not stopped: whether the last commands that it acknowledged are in the journal cannot be seen. ` +
      `Restore a backup; or aips journal repair ${folder} --yes goes on with those that are there.`,
  );
}

/** StoreDamage where the end of a journal is not sure. */
export function requireSureEnd(folder: string, marks: Marks, manifest: Manifest): void {
  const unsure = unsureEnd(folder, marks, manifest);
  if (unsure !== null) throw unsure;
}

/** The furthest of some places. */
export function furthest(marks: readonly Position[]): Position {
  const isLater = (a: Position, b: Position): boolean =>
    a.segment > b.segment || (a.segment === b.segment && a.bytes > b.bytes);
  const { seq, link, segment, bytes } = marks.reduce((latest, each) => (isLater(each, latest) ? each : latest));
  return { seq, link, segment, bytes };
}

/** Holds the marks of a segment against its lines, in order. */
export class MarkCheck {
  private readonly open: Mark[];
  /** The first mark that has another line where it should have its own. */
  other: Mark | undefined;

  constructor(marks: readonly Mark[], segment: number, from: number) {
    this.open = marks
      .filter((mark) => mark.segment === segment && mark.bytes >= from)
      .toSorted((a, b) => a.bytes - b.bytes);
  }

  /** A line that ends here was read. */
  pass({ seq, link, bytes }: Omit<Position, 'segment'>): void {
    for (let mark = this.open[0]; mark !== undefined && mark.bytes <= bytes; mark = this.open[0]) {
      if (mark.bytes < bytes || mark.link !== link || mark.seq !== seq) this.other ??= mark;
      this.open.shift();
    }
  }
}

/** Two marks that name different lines of the same byte. */
export function contradiction(marks: readonly Mark[]): readonly [Mark, Mark] | undefined {
  for (const [i, one] of marks.entries()) {
    const isOther = ({ segment, bytes, link, seq }: Mark): boolean =>
      segment === one.segment && bytes === one.bytes && (link !== one.link || seq !== one.seq);
    const other = marks.slice(i + 1).find(isOther);
    if (other !== undefined) return [one, other];
  }
  return undefined;
}
