/**
 * Parts of the specification that are not numbers and that an overlay can change, too: rows of errors, classes, tiers of SIGILs, events, modes
 * of calls and formulas. Numbers are in protocol.ts; other keys are refused here, with advice.
 */

import { z } from 'zod';
import { type ErrorKey, type ErrorRow, errors } from './errors.js';
import { type Formulas, formulasSchema } from './formula/formulas.js';
import { identityClasses, type PartnerEvent, partnerEvents, sigilTiers } from './vocabulary.js';

/** Modes of calls that an overlay can switch off: what mode a call is in follows from its body (4.2, 4.10, 4.12). */
export const optionalModes = ['register/operator', 'register/ethereum', 'wallet/operator', 'resync/challenge'] as const;
export type OptionalMode = (typeof optionalModes)[number];

/** Another status, another code, or both, for a row of section 7. */
interface ErrorChange {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

/** The numbers of a class: its heartbeats in an epoch, and the price of its SIGIL. */
interface ClassNumbers {
  readonly cap: number;
  readonly feeLamports: number;
}

/** The changed parts of the specification, except numbers. */
export interface Parts {
  /** By the key of a row, `heartbeat/VOLUME_CAP_REACHED`. */
  readonly errors?: Readonly<Record<string, ErrorChange>> | undefined;
  /** The numbers of a new class, or `false` for a removed one. */
  readonly classes?: Readonly<Record<string, ClassNumbers | false>> | undefined;
  /** `true` for a new tier of SIGILs, `false` for a removed one. */
  readonly tiers?: Readonly<Record<string, boolean>> | undefined;
  /** `false` for a removed event. */
  readonly events?: Readonly<Record<string, false>> | undefined;
  /** `false` for a mode of a call that is switched off. */
  readonly modes?: Readonly<Record<string, false>> | undefined;
  /** The expression, or the module, in place of a formula of the text, by its name. */
  readonly formulas?: Formulas | undefined;
}

const LAMPORTS_MAX = 1_000_000_000_000;
const CAP_MAX = 1_000_000_000;
const CLASS_WORD = /^[a-z][a-z0-9_]{0,31}$/;
const TIER_WORD = /^[a-z][a-z0-9]{0,15}$/;
const CODE_WORD = /^[A-Z][A-Z0-9_]{0,63}$/;
/** Statuses that say another thing to a client, or to the suite: no endpoint, no credential, too many requests of one bucket. */
const STATUS_TAKEN: readonly number[] = [404, 405, 408, 413, 415, 417, 431];

/** Why a row of errors is not changed by data; undefined where it is. */
function errorFixed(key: string): string | undefined {
  const row = (errors as Readonly<Record<string, ErrorRow>>)[key];
  if (row === undefined) {
    return 'is no row of errors; docs/errors.md lists them, and a row that is not there needs a rule that gives it (spec/errors.ts and reference/registry/)';
  }
  if (row.endpoint === 'any') {
    return 'is not changed by data: by it, clients and the suite recognize a request that has not reached its endpoint; change spec/errors.ts and conformance/trial/presence.ts';
  }
  if (row.endpoint === 'checkin') return 'is not changed by data: it is the one reply of an endpoint that is retired';
  if (row.status === 404) {
    return 'is not changed by data: with another status, nobody could tell an endpoint that is there from one that is not; change spec/errors.ts and conformance/trial/presence.ts';
  }
  return undefined;
}

/** The events that an overlay may take away. */
const EVENTS_OPEN: readonly string[] = ['heartbeat.recorded', 'agent.unfrozen'];

const whole = (low: number, high: number) => {
  const words = { error: `must be a whole number from ${low} to ${high}`, abort: true };
  return z.number(words).int(words).min(low, words).max(high, words);
};

const errorChange = z
  .strictObject(
    {
      status: whole(400, 499)
        .refine(
          (status) => !STATUS_TAKEN.includes(status),
          `must be none of ${STATUS_TAKEN.join(', ')}, which say another thing`,
        )
        .optional(),
      code: z
        .string('must be a code such as CAP_REACHED')
        .regex(CODE_WORD, 'must be a code such as CAP_REACHED')
        .optional(),
    },
    {
      error: (issue) =>
        issue.code === 'invalid_type'
          ? 'must be a map of status and code: a row that is to go needs its rule to go, in spec/errors.ts and reference/registry/'
          : undefined,
    },
  )
  .refine(({ status, code }) => status !== undefined || code !== undefined, 'must hold a status, a code, or both');

const classChange = z.union(
  [z.literal(false), z.strictObject({ cap: whole(0, CAP_MAX), feeLamports: whole(0, LAMPORTS_MAX) })],
  'must be false, for a class that is gone, or the cap and the feeLamports of a new one',
);

/** The keys of an overlay that are not numbers. */
export const partsShape = {
  errors: z
    .record(z.string(), errorChange)
    .superRefine((changes, context) => {
      for (const key of Object.keys(changes)) {
        const message = errorFixed(key) ?? clashOf(key, changes);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [key], message });
      }
    })
    .optional(),
  classes: z
    .record(z.string(), classChange)
    .superRefine((changes, context) => {
      for (const [name, change] of Object.entries(changes)) {
        const message = classFault(name, change);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .optional(),
  tiers: z
    .record(z.string(), z.boolean('must be true, for a tier that is new, or false, for one that is gone'))
    .superRefine((changes, context) => {
      for (const [name, there] of Object.entries(changes)) {
        const message = tierFault(name, there);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .optional(),
  events: z
    .record(
      z.string(),
      z.literal(false, 'must be false, for an event that is gone: a new one needs a rule that emits it'),
    )
    .superRefine((changes, context) => {
      for (const name of Object.keys(changes)) {
        if (!(partnerEvents as readonly string[]).includes(name)) {
          const message = `is no event; those of section 6 are ${partnerEvents.join(', ')}, and a new one needs a rule of the reference that emits it (reference/registry/)`;
          context.addIssue({ code: 'custom', path: [name], message });
        } else if (!EVENTS_OPEN.includes(name)) {
          const message = `is not changed by data: the suite finds out by it whether deliveries arrive (conformance/steps/partner-webhook-call.ts); ${EVENTS_OPEN.join(' and ')} can go`;
          context.addIssue({ code: 'custom', path: [name], message });
        }
      }
    })
    .optional(),
  modes: z
    .record(z.string(), z.literal(false, 'must be false, for a mode that is switched off: a new one needs a rule'))
    .superRefine((changes, context) => {
      for (const name of Object.keys(changes)) {
        const message = modeFault(name);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .optional(),
  formulas: formulasSchema.optional(),
};

/** Modes that stay, each with the reason and what an overlay can do in its place. */
const MODES_FIXED: Readonly<Record<string, string>> = {
  'register/no-wallet':
    'the suite makes its agents by it (conformance/trial/fixtures.ts); limits.register.count: 0 refuses every registration without a wallet',
  'register/child': 'nothing else makes a child; limits.spawn.count: 0 refuses every spawn',
  'register/self-custody':
    'the suite has its wallets by it (conformance/trial/fixtures.ts); limits.registerWalletFlow.count: 0 refuses every registration with a wallet',
  'wallet/self-custody':
    'the suite links its wallets by it (conformance/steps/wallet-call.ts); limits.wallet.count: 0 refuses every link',
  'resync/receipt':
    'nobody comes back without it while BEATS_REQUIRED is true; limits.resyncReceipt.count: 0 refuses that form',
};

function modeFault(name: string): string | undefined {
  if ((optionalModes as readonly string[]).includes(name)) return undefined;
  const reason = MODES_FIXED[name];
  if (reason !== undefined) return `is not changed by data: ${reason}`;
  return `is no mode that can be switched off; ${optionalModes.join(', ')} can, and a limit switches an endpoint off (limits.passport.count: 0)`;
}

/** The two rows of an endpoint to which a change gives the same code; undefined if each code still belongs to one row. */
function clashOf(key: string, changes: Readonly<Record<string, ErrorChange>>): string | undefined {
  const code = changes[key]?.code;
  const [stem] = key.split('/');
  const twin = (Object.entries(errors) as [ErrorKey, ErrorRow][]).find(
    ([other, row]) =>
      other !== key && (row.endpoint === stem || row.endpoint === 'any') && (changes[other]?.code ?? row.code) === code,
  );
  return code === undefined || twin === undefined
    ? undefined
    : `would have the code of ${twin[0]}: nobody could tell them apart`;
}

/** Words that are not classes, which the suite sends. */
const NO_CLASSES: readonly string[] = ['omniscient', 'demigod'];

function classFault(name: string, change: ClassNumbers | false): string | undefined {
  const stated = (identityClasses as readonly string[]).includes(name);
  if (change === false) {
    if (!stated) return `is no class; those of section 2.7 are ${identityClasses.join(', ')}`;
    if (name !== identityClasses[0]) return undefined;
    return 'is not changed by data: children without a SIGIL have its cap (D-50), and whoever buys the cheapest identity buys it';
  }
  if (stated) return 'is a class of the specification: its numbers are in heartbeat (the cap) and sigil (the fee)';
  if (NO_CLASSES.includes(name)) return 'is not to be had: the suite sends it as a word that is no class';
  return CLASS_WORD.test(name) ? undefined : 'must be a lower-case word with underscores, such as swarm_member';
}

/** Words that are not tiers, which the suite sends. */
const NO_TIERS: readonly string[] = ['vip'];

function tierFault(name: string, there: boolean): string | undefined {
  if (/^(tier)?\d+$/.test(name)) return FEE_TIERS;
  const stated = (sigilTiers as readonly string[]).includes(name);
  if (!there) {
    if (!stated) return `is no tier; those of section 2.7 are ${sigilTiers.join(', ')}`;
    if (name !== 'ind') return undefined;
    return 'is not changed by data: the suite and the simulator buy their SIGILs of it (conformance/steps/paid.ts, simulator/agents/calls.ts)';
  }
  if (stated) return 'is a tier of the specification';
  if (NO_TIERS.includes(name)) return 'is not to be had: the suite sends it as a word that is no tier';
  return TIER_WORD.test(name) ? undefined : 'must be a lower-case word of at most 16 letters and digits, such as gov';
}

/** Why the three tiers of heartbeat fees are no part, and what an overlay can do. */
export const FEE_TIERS =
  'is not changed by data: heartbeats have three tiers of fees; one price for two of them (heartbeat.tier2FeeLamports and tier3FeeLamports alike) makes two, one for all makes a flat fee, and a fourth needs a rule in reference/registry/fees.ts and conformance/steps/paid.ts';

/** The parts of an overlay over those of another: of two changes of one thing the second wins. */
export function mergedParts(first: Parts | undefined, second: Parts | undefined): Parts | undefined {
  if (first === undefined || second === undefined) return second ?? first;
  return {
    errors: { ...first.errors, ...second.errors },
    classes: { ...first.classes, ...second.classes },
    tiers: { ...first.tiers, ...second.tiers },
    events: { ...first.events, ...second.events },
    modes: { ...first.modes, ...second.modes },
    formulas: { ...first.formulas, ...second.formulas },
  };
}

/** A deployment's protocol, as far as it changes parts. */
interface WithParts {
  readonly parts?: Parts;
}

/** A row of errors as a deployment has it. */
export function errorRow(row: ErrorRow, { parts }: WithParts): ErrorRow {
  const change = parts?.errors?.[`${row.endpoint}/${row.code}`];
  return change === undefined ? row : { ...row, status: change.status ?? row.status, code: change.code ?? row.code };
}

/** Every row of errors as a deployment has it, by the key that it has in the specification. */
export function errorRows(held: WithParts): Readonly<Record<ErrorKey, ErrorRow>> {
  const known = rowsOf.get(held.parts ?? NOTHING);
  if (known !== undefined) return known;
  const rows = Object.fromEntries(Object.entries(errors).map(([key, row]) => [key, errorRow(row, held)])) as Record<
    ErrorKey,
    ErrorRow
  >;
  rowsOf.set(held.parts ?? NOTHING, rows);
  return rows;
}

const NOTHING: Parts = {};
const rowsOf = new WeakMap<Parts, Readonly<Record<ErrorKey, ErrorRow>>>();

/** The classes of a deployment in addition to those of the specification, in its order. */
export function addedClasses({ parts }: WithParts): readonly (ClassNumbers & { readonly name: string })[] {
  return Object.entries(parts?.classes ?? {}).flatMap(([name, change]) =>
    change === false ? [] : [{ name, ...change }],
  );
}

/** The classes that an agent can buy: those of the specification, without the removed ones, and the added ones. */
export function classesOf(held: WithParts): readonly [string, ...string[]] {
  const [first, ...rest] = identityClasses;
  const stated = rest.filter((name) => held.parts?.classes?.[name] !== false);
  return [first, ...stated, ...addedClasses(held).map(({ name }) => name)];
}

/** The tiers of SIGILs of a deployment in addition to those of the specification, in its order. */
export function addedTiers({ parts }: WithParts): readonly string[] {
  return Object.entries(parts?.tiers ?? {}).flatMap(([name, there]) => (there ? [name] : []));
}

/** The tiers that an agent can buy: those of the specification, without the removed ones, and the added ones. */
export function sigilTiersOf(held: WithParts): readonly string[] {
  return [...sigilTiers.filter((name) => held.parts?.tiers?.[name] !== false), ...addedTiers(held)];
}

/** The events that a partner can subscribe to. */
export function partnerEventsOf({ parts }: WithParts): readonly PartnerEvent[] {
  return partnerEvents.filter((name) => parts?.events?.[name] !== false);
}

/** Whether a deployment serves a mode of a call. */
export function servesMode({ parts }: WithParts, mode: OptionalMode): boolean {
  return parts?.modes?.[mode] !== false;
}
