/**
 * Module hooks by which a worker loads the reference once more for each mutant, with changes in its source. They run in a thread
 * of their own (node:module, register) and do not know what the mutants mean.
 */
import { readFile } from 'node:fs/promises';
import { parsed, printed } from './engine/babel.js';
import { applyEdit, type Edit, fileOf } from './engine/edit.js';

/** Edits by the tag of their mutant, the URL of the folder of the built package, and that of its sources. */
export interface Planting {
  readonly edits: Readonly<Record<string, readonly Edit[]>>;
  readonly builtUrl: string;
  readonly sourceUrl: string;
}

const TAG = 'mutant';
let planting: Planting = { edits: {}, builtUrl: '', sourceUrl: '' };

export function initialize(data: Planting): void {
  planting = data;
}

type Next<Context, Result> = (specifier: string, context: Context) => Promise<Result>;

interface Resolved {
  readonly url: string;
  readonly format?: string;
  readonly shortCircuit?: boolean;
}

/** A module that a tagged one imports is tagged too where it is the reference's or the facts', so that each mutant has its own. */
export async function resolve(
  specifier: string,
  context: { readonly parentURL?: string },
  next: Next<{ readonly parentURL?: string }, Resolved>,
): Promise<Resolved> {
  const resolved = await next(specifier, context);
  const tag = tagOf(specifier) ?? (context.parentURL === undefined ? undefined : tagOf(context.parentURL));
  if (tag === undefined || !isOurs(resolved.url) || tagOf(resolved.url) !== undefined) return resolved;
  return { ...resolved, url: `${resolved.url}?${TAG}=${tag}` };
}

interface Loaded {
  readonly format: string;
  readonly source?: string | Uint8Array;
  readonly shortCircuit?: boolean;
}

/** A tagged module; the source with its changes, where the mutant has some in it. */
export async function load(url: string, context: object, next: Next<object, Loaded>): Promise<Loaded> {
  const { edits, builtUrl, sourceUrl } = planting;
  const file = url.slice(builtUrl.length).replace(/\.js\?.*$/, '.ts');
  const own = (edits[tagOf(url) ?? ''] ?? []).filter((edit) => fileOf(edit) === file);
  if (own.length === 0) return next(url, context);
  const program = parsed(await readFile(new URL(sourceUrl + file), 'utf8'));
  for (const edit of own) applyEdit(program, edit);
  return { format: 'module', source: printed(program), shortCircuit: true };
}

function isOurs(url: string): boolean {
  return ['reference/', 'spec/'].some((room) => url.startsWith(planting.builtUrl + room));
}

function tagOf(url: string): string | undefined {
  return new RegExp(`[?&]${TAG}=([\\w-]+)`).exec(url)?.[1];
}
