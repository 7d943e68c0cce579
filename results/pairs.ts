/**
 * Minimal pairs (`examples/vectors/pairs.json`): for clauses of the specification, a short script on which a right and a wrong server differ, with
 * both replies. The file is plain data, which players in any language read. It plays nothing.
 *
 * Texts of steps hold references in `${…}`: `${0.api_key}` is a value of the reply to step 0, at the first of several paths that is there
 * (`${0.hash|id}`); `${hex.a}` 32 bytes in hex that the player makes, `${hex.a.12}` their first 12 characters, `${wallet.a.address}` and
 * `${wallet.a.public_key}` those of an Ed25519 key made of them, `${chain.a.3}` the hash of the third beat of a chain, `${repeat.x.40}` a letter 40
 * times, `${difficulty}` the number of hashes of a beat. A text that is one reference is the value itself, of any type.
 */

import { z } from 'zod';

export const PAIRS_SCHEMA = 'aips-lab/pairs/1';

const json = z.json();
const statusSchema = z.union([z.int().min(100).max(599), z.enum(['2xx', '4xx'])]);
const fieldTypes = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const;

/** A test of one field of a reply. A path is dotted; its parts are keys or, in a list, places from 0. */
const fieldSchema = z.union([
  z
    .strictObject({ path: z.string(), is: json })
    .describe('the field equals a value, in which texts may hold references'),
  z
    .strictObject({ path: z.string(), minus: z.string(), is: z.number() })
    .describe('the field less another field of the reply, in the unit of both; texts are times, in ms'),
  z
    .strictObject({ path: z.string(), type: z.array(z.enum(fieldTypes)).min(1) })
    .describe('the field has one of these types'),
  z.strictObject({ path: z.string(), matches: z.string() }).describe('the field is a text that matches (RE2 syntax)'),
  z.strictObject({ path: z.string(), absent: z.literal(true) }).describe('the reply has no such field'),
]);
export type FieldTest = z.infer<typeof fieldSchema>;

const expectSchema = z.strictObject({ status: statusSchema, fields: z.array(fieldSchema) });
export type Expected = z.infer<typeof expectSchema>;

const replySchema = z.strictObject({ status: z.int(), body: json });

const stepSchema = z.strictObject({
  to: z.enum(['beats', 'control']).optional().describe('the service; absent: the registry'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().regex(/^\//, 'must begin with /'),
  from: z.string().optional().describe('the client: steps of one client have one address; absent: a client of its own'),
  key: z.string().optional().describe('sent as Authorization: Bearer'),
  headers: z.record(z.string(), z.string()).optional(),
  body: json
    .optional()
    .describe(
      'sent as JSON; an object {sign, text} in it is the signature in hex, by the wallet of that name, of the text',
    ),
  raw: z.string().optional().describe('a body that is sent as it is'),
  repeat: z.int().min(2).optional().describe('how often it is sent'),
  status: statusSchema.optional().describe('the status without which the script shows nothing; absent: 2xx'),
});
export type PairStep = z.infer<typeof stepSchema>;

const chainSchema = z
  .strictObject({ from: z.string(), index: z.int().min(0), anchor: z.string() })
  .describe('beats after the hash `from`, which has this index, woven with the hash of an anchor');

const shownSchema = z.strictObject({
  clause: z.string(),
  statement: z.string(),
  expect: expectSchema.describe('the reply to the last step of a right server'),
  wrong: z.strictObject({ mistake: z.string(), title: z.string(), ...replySchema.shape }),
  /** All mistakes of the clause in planted/ that the script shows. */
  kills: z.array(z.string()).min(1),
});

const pairSchema = z.strictObject({
  steps: z.array(stepSchema).min(1),
  chains: z.record(z.string(), chainSchema).optional(),
  right: replySchema.describe('the reply to the last step of the reference, shortened to the fields that are tested'),
  shows: z.array(shownSchema).min(1),
});
export type Pair = z.infer<typeof pairSchema>;

const pairsSchema = z.strictObject({
  schema: z.literal(PAIRS_SCHEMA),
  seed: z.string().describe('what the player makes follows from it'),
  difficulty: z.int().min(1).describe('hashes of a beat, unless the player is given others'),
  pairs: z.array(pairSchema),
  outside: z
    .array(z.strictObject({ reason: z.string(), clauses: z.array(z.string()) }))
    .describe('must clauses without a pair'),
});
export type Pairs = z.infer<typeof pairsSchema>;

/** The published JSON Schema of the file. */
export const pairsJsonSchema = (): Record<string, unknown> =>
  z.toJSONSchema(pairsSchema.meta({ title: PAIRS_SCHEMA }), { target: 'draft-2020-12', io: 'input' });

const REFERENCE = /\$\{([^}]*)\}/g;
const KNOWN =
  /^(?:difficulty|\d+\..+|hex\.\w+(?:\.\d+)?|wallet\.\w+\.(?:address|public_key)|repeat\.\w\.\d+|chain\.\w+\.\d+)$/;

/** Reads a file of pairs. Throws `RangeError` with the name of the file and the place of what does not fit. */
export function readPairs(text: string, name: string): Pairs {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new RangeError(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = pairsSchema.safeParse(content);
  if (!read.success) throw new RangeError(`${name} is not as ${PAIRS_SCHEMA} says: ${z.prettifyError(read.error)}`);
  read.data.pairs.forEach((pair, nth) => {
    for (const [place, reference] of referencesOf(pair)) {
      const [first = '', second = ''] = reference.split('.');
      const fits = KNOWN.test(reference) && (/\D/.test(first) || Number(first) < place);
      const isChain = first !== 'chain' || Object.hasOwn(pair.chains ?? {}, second);
      if (!fits || !isChain)
        throw new RangeError(
          `${name}: pairs.${nth}.steps.${place}: \${${reference}} names no earlier step, and nothing that a player makes`,
        );
    }
  });
  return read.data;
}

/** The references of a pair, each with the step that needs it. Those of tests come after the last step. */
function referencesOf({ steps, shows }: Pair): readonly (readonly [place: number, reference: string])[] {
  const within = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(REFERENCE)].map(([, each = '']) => each);
  return [
    ...steps.flatMap((step, place) => within(step).map((each) => [place, each] as const)),
    ...shows.flatMap(({ expect }) => within(expect).map((each) => [steps.length, each] as const)),
  ];
}
