/**
 * Overlays: files that replace numbers of the protocol. They are read, held against each other, and laid over the
 * specification's own numbers.
 */

import { z } from 'zod';
import { type Parsed, parseYaml } from './document.js';
import { formulasSchema } from './formula/formulas.js';
import { deepFreeze } from './freeze.js';
import { boundsOf, unitOf } from './number-bounds.js';
import { overlayAdvice } from './overlay-refusals.js';
import { mergedParts, type Parts, partsShape } from './parts.js';
import { type Protocol, protocol } from './protocol.js';

/** Some numbers of the protocol, replaced: the same nesting as `protocol`, any part of it; and parts that are not numbers. */
export type Overlay = { readonly [K in keyof Numbers]?: PartialNumbers<Numbers[K]> } & { readonly parts?: Parts };
type Numbers = Omit<Protocol, 'parts'>;
type PartialNumbers<T> = { readonly [K in keyof T]?: T[K] extends object ? PartialNumbers<T[K]> : T[K] };

function numberSchema(path: string, value: number): z.ZodType<number> {
  const { low, high } = boundsOf(path);
  const wanted = `a whole number from ${low} to ${high} (the specification says ${value})`;
  const once = { error: `must be ${wanted}`, abort: true };
  const unit = unitOf(path);
  const description = unit === '' ? wanted : `${unit}: ${wanted}`;
  return z.number(once).int(once).min(low, once).max(high, once).meta({ description });
}

/** The message about an invalid group lists its numbers if there are at most this many. */
const NAMES_MAX = 3;

function shapeOf(node: object, prefix: string): z.ZodType {
  const shape: Record<string, z.ZodType> = {};
  for (const [key, value] of Object.entries(node)) {
    const inner = typeof value === 'number' ? numberSchema(prefix + key, value) : shapeOf(value, `${prefix}${key}.`);
    shape[key] = inner.optional();
  }
  const names = Object.keys(shape);
  const few = prefix !== '' && names.length <= NAMES_MAX ? `: ${names.join(', ')}` : '';
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? `must be a map of numbers${few}` : undefined),
  });
}

const numbersSchema = shapeOf(protocol, '') as z.ZodObject;

/** The schema of the numbers and formulas of an overlay, for what has no effect by other parts, such as a scenario. */
export const overlaySchema = numbersSchema
  .extend({ formulas: formulasSchema.optional() })
  .transform(({ formulas, ...numbers }) =>
    formulas === undefined ? numbers : { ...numbers, parts: { formulas } },
  ) as unknown as z.ZodType<Overlay>;

/** The schema of a whole overlay: numbers, and the parts that are not numbers. */
export const changeSchema: z.ZodType<Overlay> = numbersSchema.extend(partsShape).transform((written) => {
  const { errors, classes, tiers, events, modes, formulas, ...numbers } = written as Parts & Overlay;
  const given = Object.entries({ errors, classes, tiers, events, modes, formulas }).filter(
    ([, part]) => part !== undefined,
  );
  return given.length === 0 ? numbers : { ...numbers, parts: Object.fromEntries(given) };
});

/** A protocol or an overlay in the form of an overlay file: its parts that are not numbers follow the numbers. */
export function fileOfOverlay({ parts, ...numbers }: Overlay | Protocol): Readonly<Record<string, unknown>> {
  return { ...numbers, ...parts };
}

/** Reads an overlay file. An unknown or ill-typed key is a problem with its line. */
export function parseOverlay(text: string, file: string): Parsed<Overlay> {
  const parsed = parseYaml(text, file, changeSchema);
  if (parsed.ok) return parsed;
  return {
    ok: false,
    problems: parsed.problems.map((each) => ({ ...each, message: overlayAdvice(each.key, each.message) })),
  };
}

/** The protocol with some numbers replaced; frozen like the original. */
export function withOverlay(overlay: Overlay, base: Protocol = protocol): Protocol {
  const merge = (from: object, over: object): object =>
    Object.fromEntries(
      Object.entries(from).map(([key, value]) => {
        const replacement = (over as Record<string, unknown>)[key];
        if (replacement === undefined) return [key, value];
        return [key, typeof replacement === 'object' ? merge(value, replacement as object) : replacement];
      }),
    );
  const { parts: before, ...numbers } = base;
  const parts = mergedParts(before, overlay.parts);
  return deepFreeze({ ...merge(numbers, overlay), ...(parts === undefined ? {} : { parts }) }) as Protocol;
}

/** Two overlays as one: where both replace a number, the second wins. */
export function mergedOverlay(first: Overlay, second: Overlay): Overlay {
  const merge = (one: object, other: object): object => {
    // Of a map every key is data; an assignment to `__proto__` would not be.
    const merged = new Map<string, unknown>(Object.entries(one));
    for (const [key, value] of Object.entries(other)) {
      const there = merged.get(key);
      const both = typeof there === 'object' && there !== null && typeof value === 'object' && value !== null;
      merged.set(key, both ? merge(there, value) : value);
    }
    return Object.fromEntries(merged);
  };
  return merge(first, second) as Overlay;
}

/** The overlay that replaces the one number at a dotted path. */
export function overlayOf(path: string, value: number): Overlay {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Overlay;
}

/** A relation that must hold between the numbers of one protocol. */
interface Relation {
  readonly text: string;
  readonly holds: (protocol: Protocol) => boolean;
}

const BPS_WHOLE = 10_000;
/** `auto-`, before the hex of a SIGIL's automatic name (D-17). */
const AUTO_PREFIX_CHARS = 5;

/**
 * The relations without which a protocol contradicts itself: a range that holds nothing, or a share that is larger than the whole. A schedule that
 * is merely odd, such as fees that rise with use, is allowed, since it may be worth studying.
 */
export const relations: readonly Relation[] = deepFreeze([
  {
    text: 'agent.nameCharsMin <= agent.nameCharsMax',
    holds: ({ agent }) => agent.nameCharsMin <= agent.nameCharsMax,
  },
  {
    text: 'registration.metadataBytesMax <= body.bytesMax',
    holds: ({ registration, body }) => registration.metadataBytesMax <= body.bytesMax,
  },
  { text: 'body.bytesMax <= body.proofBytesMax', holds: ({ body }) => body.bytesMax <= body.proofBytesMax },
  {
    text: 'proof.spotChecksMin <= proof.spotChecksMax',
    holds: ({ proof }) => proof.spotChecksMin <= proof.spotChecksMax,
  },
  {
    text: 'proof.challengeChecks <= proof.spotChecksMax',
    holds: ({ proof }) => proof.challengeChecks <= proof.spotChecksMax,
  },
  { text: '1 <= anchor.graceAnchors', holds: ({ anchor }) => anchor.graceAnchors >= 1 },
  {
    text: 'work.difficultyMin <= beat.difficulty <= work.difficultyMax',
    holds: ({ work, beat }) => work.difficultyMin <= beat.difficulty && beat.difficulty <= work.difficultyMax,
  },
  {
    text: 'work.receiptDifficultyMin <= beat.difficulty',
    holds: ({ work, beat }) => work.receiptDifficultyMin <= beat.difficulty,
  },
  {
    text: 'heartbeat.tier1HeartbeatsMax < heartbeat.tier2HeartbeatsMax',
    holds: ({ heartbeat }) => heartbeat.tier1HeartbeatsMax < heartbeat.tier2HeartbeatsMax,
  },
  {
    text: 'sigil: the automatic name, auto- and the hex of autoNameBytes, is at most nameCharsMax',
    holds: ({ sigil }) => AUTO_PREFIX_CHARS + 2 * sigil.autoNameBytes <= sigil.nameCharsMax,
  },
  {
    text: 'feeSplit: operations, contributors, referral and developmentStart together are at most 10000',
    holds: ({ feeSplit: { operationsBps, contributorsBps, referralBps, developmentStartBps } }) =>
      operationsBps + contributorsBps + referralBps + developmentStartBps <= BPS_WHOLE,
  },
  {
    text: 'feeSplit.developmentFloorBps <= feeSplit.developmentStartBps',
    holds: ({ feeSplit }) => feeSplit.developmentFloorBps <= feeSplit.developmentStartBps,
  },
  {
    text: 'dms.warningAnchors <= dms.missedAnchorsMax',
    holds: ({ dms }) => dms.warningAnchors <= dms.missedAnchorsMax,
  },
  {
    text: 'sponsor.heartbeatsEpochMin <= sponsor.heartbeatsEpochDefault <= sponsor.heartbeatsEpochMax',
    holds: ({ sponsor: { heartbeatsEpochMin, heartbeatsEpochDefault, heartbeatsEpochMax } }) =>
      heartbeatsEpochMin <= heartbeatsEpochDefault && heartbeatsEpochDefault <= heartbeatsEpochMax,
  },
  {
    text: 'verifyBatch.hashesMin <= verifyBatch.hashesMax',
    holds: ({ verifyBatch }) => verifyBatch.hashesMin <= verifyBatch.hashesMax,
  },
  {
    text: 'flag.reasonCharsMin <= flag.reasonCharsMax',
    holds: ({ flag }) => flag.reasonCharsMin <= flag.reasonCharsMax,
  },
  {
    text: 'subsidy.discountBpsMin <= subsidy.discountBpsMax',
    holds: ({ subsidy }) => subsidy.discountBpsMin <= subsidy.discountBpsMax,
  },
  {
    text: 'metadata.textCharsMin <= metadata.textCharsMax',
    holds: ({ metadata }) => metadata.textCharsMin <= metadata.textCharsMax,
  },
] satisfies Relation[]);

/** The relations that a protocol breaks, each as its text; none for the specification's own numbers. */
export function brokenRelations(protocol: Protocol): string[] {
  return relations.filter((relation) => !relation.holds(protocol)).map((relation) => relation.text);
}
