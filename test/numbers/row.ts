/** The type of a row, which shows how one number of the protocol is obeyed on the wire, and how a row is run. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readProtocol } from '../../cli/flags/facts.js';
import type { Protocol } from '../../spec/protocol.js';
import { Deployment } from '../fixtures/http.js';
import { Lab } from './lab.js';

/** Numbers of an overlay by their paths. */
export type Numbers = Readonly<Record<string, number>>;

/** What a reply says that depends on the number, in as few words as will do. */
export type Answer = string | number | boolean | Readonly<Record<string, number | string>>;

/** What is asked at some position, and what is answered there. */
export type Edge = readonly (readonly [position: number, answer: Answer])[];

/** How one number of the protocol shows on the wire. */
export interface Row {
  readonly path: string;
  /** What the specification says. */
  readonly spec: number;
  /** What an overlay says in its place, one after the other. */
  readonly changed: readonly number[];
  /** Other numbers that bring the boundary within reach, the same with and without the change. */
  readonly alongside?: Numbers;
  /** Each question goes to a server of its own: it moves time, or fills what all callers share. */
  readonly alone?: true;
  /** The question needs state that takes long to reach over the wire; it is put into the server's own registry. */
  readonly here?: true;
  /** Both sides of the boundary where the number is `n`: in order of position. */
  readonly edge: (n: number) => Edge;
  readonly ask: (lab: Lab, position: number) => Promise<Answer>;
}

type Rest = Pick<Row, 'ask'> & Partial<Pick<Row, 'alongside' | 'alone' | 'here' | 'changed'>>;
type Outside = Rest & { readonly inside?: Answer; readonly outside: Answer };

/** A number whose answers follow no pattern below. */
export function edged(path: string, spec: number, edge: Row['edge'], given: Rest): Row {
  return { path, spec, edge, changed: spec === 0 ? [1, 2] : [spec - 1, spec + 1], ...given };
}

/** The number is the most of something that is taken. */
export function most(path: string, spec: number, given: Outside): Row {
  const { inside = 'ok', outside } = given;
  const edge = (n: number): Edge => [
    [n, inside],
    [n + 1, outside],
  ];
  return edged(path, spec, edge, given);
}

/** The number is the least of something that is taken. There is no less than nothing. */
export function least(path: string, spec: number, given: Outside): Row {
  const { inside = 'ok', outside } = given;
  const edge = (n: number): Edge => [...(n === 0 ? [] : [[n - 1, outside] as const]), [n, inside]];
  return edged(path, spec, edge, given);
}

/** Only the number itself is taken. */
export function exactly(path: string, spec: number, given: Outside): Row {
  const { inside = 'ok', outside } = given;
  const edge = (n: number): Edge => [
    [n - 1, outside],
    [n, inside],
    [n + 1, outside],
  ];
  return edged(path, spec, edge, given);
}

/** Something is good for so many seconds: through the last millisecond of them. Positions are milliseconds. */
export function lasts(path: string, spec: number, given: Outside): Row {
  const { inside = 'ok', outside } = given;
  const edge = (n: number): Edge => [
    [n * 1_000, inside],
    [n * 1_000 + 1, outside],
  ];
  return edged(path, spec, edge, given);
}

/** Something comes after so many seconds, and not before. Positions are milliseconds. */
export function comes(
  path: string,
  spec: number,
  given: Rest & { readonly before: Answer; readonly after: Answer },
): Row {
  const { before, after, ...rest } = given;
  const edge = (n: number): Edge => [
    [n * 1_000 - 1, before],
    [n * 1_000, after],
  ];
  return edged(path, spec, edge, rest);
}

/** A reply tells the number, or what follows from it. */
export function told(
  path: string,
  spec: number,
  read: (lab: Lab) => Promise<Answer>,
  given: Partial<Rest> & { readonly as?: (n: number) => Answer } = {},
): Row {
  const { as = (n: number) => n, ...rest } = given;
  return edged(path, spec, (n) => [[0, as(n)]], { ...rest, ask: read });
}

/** An overlay file: the numbers, each under its path. */
export function overlayText(numbers: Numbers): string {
  const groups: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(numbers)) {
    const keys = path.split('.');
    let node = groups;
    for (const key of keys.slice(0, -1)) {
      node[key] ??= {};
      node = node[key] as Record<string, unknown>;
    }
    node[keys.at(-1) as string] = value;
  }
  return stringify(groups);
}

/** Writes an overlay file and gives its path to `use`; no numbers, no file. */
export async function withOverlayFile<T>(numbers: Numbers, use: (file: string | undefined) => Promise<T>): Promise<T> {
  if (Object.keys(numbers).length === 0) return use(undefined);
  const folder = mkdtempSync(join(tmpdir(), 'aips-numbers-'));
  try {
    const file = join(folder, 'overlay.yaml');
    writeFileSync(file, overlayText(numbers));
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Starts a server by the file that `aips serve --protocol` would be given, asks, and stops it. */
export type Serve = <T>(file: string | undefined, use: (lab: Lab) => Promise<T>) => Promise<T>;

/** In this process: the overlay is read as `aips serve` reads it, and the servers are those that it starts. */
export const serveHere: Serve = async (file, use) => {
  const protocol: Protocol = readProtocol(file);
  const deployment = await Deployment.start({ protocol, policy: { allowLoopbackWebhooks: true } });
  const lab = new Lab(deployment.wire, deployment.host.service.registry);
  try {
    return await use(lab);
  } finally {
    await lab.close();
    await deployment.close();
  }
};

/** What a server with these numbers answers at each position. */
async function ask(
  row: Row,
  numbers: Numbers,
  positions: readonly number[],
  serve: Serve,
): Promise<Map<number, Answer>> {
  const answered = new Map<number, Answer>();
  const each = async (lab: Lab, position: number): Promise<void> => {
    answered.set(position, await row.ask(lab, position));
  };
  await withOverlayFile(numbers, async (file) => {
    if (row.alone === true) {
      await Promise.all(positions.map((position) => serve(file, (lab) => each(lab, position))));
    } else {
      await serve(file, async (lab) => {
        for (const position of positions) await each(lab, position);
      });
    }
  });
  return answered;
}

/** What was answered at the positions of an edge, as an edge of its own. */
function along(edge: Edge, answered: ReadonlyMap<number, Answer>): Edge {
  return edge.map(([position]) => [position, answered.get(position) as Answer]);
}

/** What two servers answered about a number: one with the specification's, one with another. */
export interface Judged {
  readonly value: number;
  /** Wanted and found where the number's boundary is now. */
  readonly wanted: Edge;
  readonly found: Edge;
  /** What is answered now where the boundary was before. */
  readonly foundBefore: Edge;
}

/** Asks a server with the specification's number, then one server for each change. */
export async function judge(row: Row, serve: Serve): Promise<{ readonly original: Edge; readonly changed: Judged[] }> {
  const { alongside = {} } = row;
  const before = row.edge(row.spec);
  const positionsOf = (edge: Edge): number[] => edge.map(([position]) => position);
  const original = along(before, await ask(row, alongside, positionsOf(before), serve));
  const changed: Judged[] = [];
  for (const value of row.changed) {
    const wanted = row.edge(value);
    const positions = [...new Set([...positionsOf(before), ...positionsOf(wanted)])].toSorted((a, b) => a - b);
    const answered = await ask(row, { ...alongside, [row.path]: value }, positions, serve);
    changed.push({ value, wanted, found: along(wanted, answered), foundBefore: along(before, answered) });
  }
  return { original, changed };
}
