/** Planted mistakes as planted/mistakes/*.yaml has them: a change of source code, of replies or of a number. */
import { z } from 'zod';
import type { Mutant, Patch } from '../conformance/mutants/mutant.js';
import type { Overlay } from '../spec/overlay.js';
import type { Edit } from './engine/edit.js';

/** A mutant whose patch may be changes of source code. */
export interface PlantedMutant extends Mutant<Patch | SourcePatch> {
  /** Why no check finds it by its own clause. */
  readonly missed?: string;
}

/** Changes of the reference's TypeScript, in their order. */
interface SourcePatch {
  readonly edits: readonly Edit[];
}

/** `done.beat → 0`; nothing after the arrow takes the code away. */
const pair = z.string().transform((text, context): [string, string] => {
  const parts = text.split('→').map((part) => part.trim());
  if (parts.length !== 2) context.addIssue({ code: 'custom', message: 'write OLD → NEW' });
  return [parts[0] ?? '', parts[1] ?? ''];
});
const oneOrMore = z.union([z.string().transform((text) => [text]), z.array(z.string())]);

const edit = {
  change: pair.optional(),
  before: pair.optional(),
  after: pair.optional(),
  enter: z.string().optional(),
  given: oneOrMore.optional(),
  import: oneOrMore.optional(),
};
const reply = {
  status: z.int().optional(),
  code: z.string().optional(),
  remove: z.string().optional(),
  set: z.string().optional(),
  to: z.unknown().optional(),
  answer: z.int().optional(),
};

/** One entry; its place is the key above it. */
const full = z.strictObject({
  title: z.string(),
  deployment: z.enum(['devnet', 'webhooks', 'secret', 'mainnet', 'free']).optional(),
  overlay: z.record(z.string(), z.unknown()).optional(),
  missed: z.string().optional(),
  ...edit,
  also: z.array(z.strictObject({ in: z.string(), ...edit })).optional(),
  ...reply,
  value: z.number().optional(),
});
type Entry = z.infer<typeof full>;

/** An entry of a change alone is written `TITLE: OLD → NEW`. */
const entry = z.preprocess((given) => {
  const [[title, change] = ['', ''], ...others] = Object.entries(given ?? {});
  return others.length > 0 || title in full.shape ? given : { title, change };
}, full);

/** A file: places, and in each the mistakes that are made there, by `ID breaks CLAUSE`. */
const file = z.record(z.string(), z.record(z.string(), entry));

/** Each entry has one of these. */
const CHANGES = ['change', 'before', 'after', 'enter', 'remove', 'set', 'answer', 'value'] as const;

const REPLIES = 'replies of ';
const NUMBER = 'number ';

/** The mutants of a file's content. Throws `RangeError` with the name of the file and of the entry. */
export function mistakesIn(name: string, content: unknown): readonly PlantedMutant[] {
  const read = file.safeParse(content);
  if (!read.success) throw new RangeError(`${name}: ${z.prettifyError(read.error)}`);
  return Object.entries(read.data).flatMap(([place, entries]) =>
    Object.entries(entries).map(([key, given]) => mutantOf(name, place, key, given)),
  );
}

function mutantOf(name: string, place: string, key: string, given: Entry): PlantedMutant {
  const [, id, clause] = /^(\S+) breaks (\S+)$/.exec(key) ?? [];
  if (id === undefined || clause === undefined) throw new RangeError(`${name}: "${key}" is not ID breaks CLAUSE`);
  const { title, deployment, overlay, missed } = given;
  const patch = patchOf(place, given);
  if (CHANGES.every((name) => given[name] === undefined)) throw new RangeError(`${name}: "${key}" changes nothing`);
  const options = { deployment, overlay: overlay as Overlay | undefined, missed };
  return { id, title, clause, patch, ...defined(options) } as PlantedMutant;
}

function patchOf(place: string, given: Entry): Patch | SourcePatch {
  if (place.startsWith(NUMBER)) return { number: place.slice(NUMBER.length), value: given.value ?? 0 };
  if (place.startsWith(REPLIES)) {
    const { status, code, remove, set, to, answer } = given;
    return { endpoint: place.slice(REPLIES.length), ...defined({ status, code, remove, set, to, answer }) } as Patch;
  }
  const { change, before, after, enter, given: names, import: imports, also = [] } = given;
  return { edits: [{ in: place, change, before, after, enter, given: names, import: imports }, ...also] as Edit[] };
}

/** An object without the properties that are absent. */
function defined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
