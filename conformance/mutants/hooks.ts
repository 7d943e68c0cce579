/**
 * Module hooks by which a worker loads the reference once more for each mutant, with one text in one of its modules replaced.
 * They run in a thread of their own (node:module, register) and do not know what the mutants mean.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A text of a built module to be replaced. */
export interface TextPatch {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** A mistake that takes more than one replacement, in one module or several. */
export interface TextPatches extends TextPatch {
  readonly also?: readonly TextPatch[];
}

/** All replacements of a patch, in their order. */
export function editsOf({ also = [], ...first }: TextPatches): readonly TextPatch[] {
  return [first, ...also];
}

const TAG = 'mutant';
let patches: Readonly<Record<string, TextPatches>> = {};
let rootUrl = '';

/** Takes the patches by the tag of their mutant, and the URL of the folder of the built package. */
export function initialize(data: {
  readonly patches: Readonly<Record<string, TextPatches>>;
  readonly rootUrl: string;
}): void {
  patches = data.patches;
  rootUrl = data.rootUrl;
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

/** The text of a tagged module, patched where the mutant's patch is for it. */
export async function load(url: string, context: object, next: Next<object, Loaded>): Promise<Loaded> {
  const tag = tagOf(url);
  const patch = tag === undefined ? undefined : patches[tag];
  const edits = patch === undefined ? [] : editsOf(patch).filter(({ file }) => url.startsWith(`${rootUrl}${file}.js?`));
  if (edits.length === 0) return next(url, context);
  const text = await readFile(fileURLToPath(url.slice(0, url.indexOf('?'))), 'utf8');
  return { format: 'module', source: edits.reduce(replacedOnce, text), shortCircuit: true };
}

/** The text with `before` replaced. Throws where it does not stand there exactly once: the patch is out of date. */
export function replacedOnce(text: string, { file, before, after }: TextPatch): string {
  const places = text.split(before).length - 1;
  if (places !== 1)
    throw new Error(`${file} has ${places} places that read ${JSON.stringify(before)}, and one is wanted`);
  return text.replace(before, () => after);
}

function isOurs(url: string): boolean {
  return ['reference/', 'spec/'].some((room) => url.startsWith(rootUrl + room));
}

function tagOf(url: string): string | undefined {
  return new RegExp(`[?&]${TAG}=([\\w-]+)`).exec(url)?.[1];
}
