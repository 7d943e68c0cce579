/**
 * Checks of POST /agent/flag: who may complain about whom, and what is refused. Limits and reviews are in
 * flag-limits.ts and flag-review.ts.
 */
import type { ErrorKey } from '../../spec/errors.js';
import { classesOf, sigilTiersOf } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { unreachableReason } from '../assertions/unjudged.js';
import { type Complaint, complaint, flagging, pair } from '../steps/flagging.js';
import { buy, purchase } from '../steps/paid.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const REVIEW = 'flags/:id/review';

const base = {
  needs: ['payments', 'control'],
  controls: [REVIEW],
  registers: 1,
  walletRegisters: 2,
  requests: 16,
  lamports: ({ sigil }: Protocol): number => sigil.narrowTaskFeeLamports,
  writes: true,
} as const;

/** Clauses for which a flag that is taken is evidence. */
const FILED = [
  'service.flag',
  'flag.body.target-hash',
  'flag.body.asserted-class',
  'flag.body.reason',
  'flag.transition.pending',
] as const;

/** Flags, and how bad ones are refused. Limits are in flag-limits.ts, reviews in flag-review.ts. */
const filed: Check = {
  ...base,
  id: 'flag/filed',
  title: 'An agent with a SIGIL flags another for any class, and the flag is pending',
  clauses: [
    'flag.route',
    'service.flag',
    'flag.body.target-hash',
    'flag.body.asserted-class',
    'flag.body.reason',
    'flag.reply',
    'flag.reply.flagged',
    'flag.reply.status',
    'flag.field.flag-id',
    'flag.field.status',
    'flag.rule.one-pending',
    'flag.rule.reporter-tier',
    'flag.transition.pending',
  ],
  registers: 2,
  run: (t) =>
    flagging(t, async (flags) => {
      let { reporter, target } = await pair(t, 'org');
      const other = await t.root();
      const ids: unknown[] = [];
      let first: Reply | undefined;
      for (const [turn, asserted_class] of classesOf(t.protocol).entries()) {
        // One reporter files three in an hour: a flag for a class that a change adds is another's.
        if (turn > 2) ({ reporter, target } = await pair(t, 'org'));
        // A flag against another target while the first is pending, and another against the first once that was reviewed.
        if (turn === 2 && first !== undefined) await flags.review(first, 'dismiss');
        const reply = await flags.file(reporter, complaint(turn === 1 ? other : target, { asserted_class }));
        t.accepted(
          reply,
          ...(turn === 0
            ? [...FILED, 'flag.rule.reporter-tier']
            : ['flag.body.asserted-class', 'flag.rule.one-pending']),
        );
        first ??= reply;
        const place = ids.indexOf(reply.get('flag_id'));
        t.shows('flag.field.flag-id').of(
          reply,
          'flag_id of another flag',
          place < 0,
          'an id of its own',
          'the same id',
        );
        ids.push(reply.get('flag_id'));
      }
    }),
};

/** A flag with one fault, filed by a reporter who may file it; its twin is a flag against another agent. */
interface Fault {
  readonly word: string;
  readonly title: string;
  readonly clauses: readonly string[];
  /** The refusal that is expected; `4xx`: section 7 leaves open which. */
  readonly key?: ErrorKey | '4xx';
  readonly more: (t: Trial, reporterHash: string) => Complaint;
}

const shape = ['flag.error.validation'];
const reason = ['flag.error.validation.reason', 'flag.body.reason'];

const faults: readonly Fault[] = [
  {
    word: 'self',
    title: 'No agent flags itself',
    clauses: ['flag.rule.not-self', 'flag.error.flag-self'],
    key: 'flag/FLAG_SELF',
    more: (_, reporterHash) => ({ target_hash: reporterHash }),
  },
  {
    word: 'self-in-capitals',
    title: 'No agent flags itself by writing its hash in capitals',
    clauses: ['flag.rule.not-self'],
    key: '4xx',
    more: (_, reporterHash) => ({ target_hash: `0x${reporterHash.slice(2).toUpperCase()}` }),
  },
  {
    word: 'target-unknown',
    title: 'A flag against an agent that does not exist is refused',
    clauses: ['flag.rule.target-exists', 'flag.error.flag-target-not-found'],
    key: 'flag/FLAG_TARGET_NOT_FOUND',
    more: (t) => ({ target_hash: `0x${t.hex(t.protocol.agent.hashBytes)}` }),
  },
  {
    word: 'class-unknown',
    title: 'A flag with an unknown asserted_class is refused',
    clauses: [...shape, 'flag.body.asserted-class'],
    more: () => ({ asserted_class: 'demigod' }),
  },
  {
    word: 'class-missing',
    title: 'A flag without asserted_class is refused',
    clauses: [...shape, 'flag.body.asserted-class'],
    more: () => ({ asserted_class: undefined }),
  },
  {
    word: 'target-missing',
    title: 'A flag without target_hash is refused',
    clauses: ['flag.body.target-hash'],
    key: '4xx',
    more: () => ({ target_hash: undefined }),
  },
  {
    word: 'target-malformed',
    title: 'A flag whose target_hash is no text is refused',
    clauses: ['flag.body.target-hash'],
    key: '4xx',
    more: () => ({ target_hash: 7 }),
  },
  {
    word: 'reason-missing',
    title: 'A flag without reason is refused',
    clauses: reason,
    more: () => ({ reason: undefined }),
  },
  {
    word: 'reason-number',
    title: 'A flag whose reason is a number is refused',
    clauses: reason,
    more: () => ({ reason: 7 }),
  },
];

const faulty = faults.map(
  ({ word, title, clauses, key = 'flag/VALIDATION', more }): Check => ({
    ...base,
    id: `flag/${word}`,
    title,
    clauses,
    refusal: true,
    run: (t) =>
      flagging(t, async (flags) => {
        const { reporter, target } = await pair(t);
        const mayMiss = key === 'flag/FLAG_TARGET_NOT_FOUND' || key === '4xx';
        const reply = await flags.file(reporter, complaint(target, more(t, reporter.hash)), { mayMiss });
        if (key === '4xx') t.refusedWith(reply, key, ...clauses);
        else t.refused(reply, key, ...clauses);
        t.accepted(await flags.file(reporter, complaint(target)));
      }),
  }),
);

/** One character: of two bytes in UTF-8 and one unit in UTF-16, and of four bytes and two units. */
const characters = { x: 'é', astral: '\u{1f7e2}' };

const lengthClauses = {
  'reason-length': [...reason, 'constant.flag-reason-max'],
  'reason-code-points': ['body.text.code-points'],
} as const;

const lengths = (
  [
    ['reason-length', 'A reason has at most 2000 characters', characters.x],
    ['reason-code-points', 'A reason is counted in code points', characters.astral],
  ] as const
).map(
  ([word, title, character]): Check => ({
    ...base,
    id: `flag/${word}`,
    title,
    clauses: lengthClauses[word],
    refusal: true,
    run: (t) =>
      flagging(t, async (flags) => {
        const { reasonCharsMax } = t.protocol.flag;
        const { reporter, target } = await pair(t);
        const send = (chars: number) => flags.file(reporter, complaint(target, { reason: character.repeat(chars) }));
        t.refused(await send(reasonCharsMax + 1), 'flag/VALIDATION', ...lengthClauses[word]);
        t.accepted(
          await send(reasonCharsMax),
          ...lengthClauses[word].filter((id) => id !== 'flag.error.validation.reason'),
        );
      }),
  }),
);

const shortest: Check = {
  ...base,
  id: 'flag/reason-shortest',
  title: 'A reason has at least one character',
  clauses: [...reason, 'constant.flag-reason-min'],
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target } = await pair(t);
      const empty = await flags.file(reporter, complaint(target, { reason: '' }));
      t.refused(empty, 'flag/VALIDATION', ...reason, 'constant.flag-reason-min');
      const least = 'x'.repeat(t.protocol.flag.reasonCharsMin);
      const taken = await flags.file(reporter, complaint(target, { reason: least }));
      t.accepted(taken, 'constant.flag-reason-min', 'flag.body.reason');
    }),
};

const withoutSigil: Check = {
  ...base,
  id: 'flag/reporter-without-sigil',
  title: 'An agent without a SIGIL flags nobody',
  clauses: ['flag.rule.reporter-sigil', 'flag.rule.reporter-tier', 'flag.error.flag-reporter-ineligible'],
  registers: 2,
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target } = await pair(t);
      const without = await t.root({ init: true });
      const clauses = ['flag.rule.reporter-sigil', 'flag.error.flag-reporter-ineligible'];
      t.refused(await flags.file(without, complaint(target)), 'flag/FLAG_REPORTER_INELIGIBLE', ...clauses);
      t.accepted(await flags.file(reporter, complaint(target)), 'flag.rule.reporter-tier');
    }),
};

const sandbox: Check = {
  ...base,
  id: 'flag/reporter-sandbox',
  title: 'An agent of the sandbox tier flags nobody',
  clauses: ['flag.rule.reporter-tier', 'flag.error.flag-reporter-ineligible.sandbox'],
  walletRegisters: 6,
  requests: 32,
  lamports: (protocol) =>
    2 * protocol.sigil.narrowTaskFeeLamports + sigilFeeLamports(protocol, classesOf(protocol)[1] ?? 'narrow_task'),
  refusal: true,
  unsuitableFor: ({ protocol }) =>
    sigilTiersOf(protocol).includes('sbx') ? undefined : unreachableReason('there is no tier sbx'),
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target } = await pair(t, 'eph');
      const sandboxed = await t.walletRoot({ init: true });
      await t.setup('a SIGIL', async () => void t.accepted(await buy(t, sandboxed, purchase(t, { tier: 'sbx' }))));
      // A class above the least is one of the sandbox, too.
      const identity_class = classesOf(t.protocol)[1] ?? 'narrow_task';
      const above = await t.walletRoot({ init: true });
      const what = purchase(t, { tier: 'sbx', identity_class });
      await t.setup('a SIGIL', async () => void t.accepted(await buy(t, above, what, identity_class)));
      const clauses = ['flag.rule.reporter-tier', 'flag.error.flag-reporter-ineligible.sandbox'];
      t.refused(await flags.file(above, complaint(target)), 'flag/FLAG_REPORTER_INELIGIBLE', ...clauses);
      // It is the tier of who flags that counts, whatever SIGIL the target has.
      for (const flagged of [target, reporter]) {
        t.refused(await flags.file(sandboxed, complaint(flagged)), 'flag/FLAG_REPORTER_INELIGIBLE', ...clauses);
      }
      for (const flagged of [target, sandboxed]) {
        t.accepted(await flags.file(reporter, complaint(flagged)), 'flag.rule.reporter-tier');
      }
    }),
};

const duplicate: Check = {
  ...base,
  id: 'flag/duplicate',
  title: 'A reporter has one pending flag against a target, and files another once it was reviewed',
  clauses: ['flag.rule.one-pending', 'flag.rule.reporter-tier', 'flag.error.flag-duplicate', 'flag.review.dismiss'],
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target } = await pair(t, 'sov');
      const first = t.accepted(await flags.file(reporter, complaint(target)), 'flag.rule.reporter-tier');
      // It is the pair that counts, whatever else is said.
      const more = { asserted_class: classesOf(t.protocol).at(-1), reason: 'it decides by itself' };
      const again = await flags.file(reporter, complaint(target, more));
      t.refused(again, 'flag/FLAG_DUPLICATE', 'flag.rule.one-pending', 'flag.error.flag-duplicate');
      await flags.review(first, 'dismiss');
      const next = await flags.file(reporter, complaint(target));
      t.accepted(next, 'flag.review.dismiss', 'flag.rule.one-pending');
    }),
};

const otherPair: Check = {
  ...base,
  id: 'flag/review-of-another',
  title: 'The review of one flag leaves the others of its reporter pending',
  clauses: ['flag.rule.one-pending', 'flag.error.flag-duplicate'],
  registers: 2,
  requests: 18,
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      // Three flags are all that a reporter has in an hour.
      const { reporter, target } = await pair(t);
      const other = await t.root();
      const first = t.accepted(await flags.file(reporter, complaint(target)), 'flag.rule.one-pending');
      t.accepted(await flags.file(reporter, complaint(other)), 'flag.rule.one-pending');
      await flags.review(first, 'dismiss');
      const again = await flags.file(reporter, complaint(other));
      t.refused(again, 'flag/FLAG_DUPLICATE', 'flag.rule.one-pending', 'flag.error.flag-duplicate');
    }),
};

const bothWays: Check = {
  ...base,
  id: 'flag/both-ways',
  title: 'Two agents have a pending flag against each other',
  clauses: ['flag.rule.one-pending', 'flag.rule.reporter-tier'],
  registers: 2,
  walletRegisters: 4,
  requests: 26,
  lamports: ({ sigil }) => 2 * sigil.narrowTaskFeeLamports,
  run: (t) =>
    flagging(t, async (flags) => {
      const [{ reporter: one }, { reporter: other }] = [await pair(t), await pair(t)];
      for (const [reporter, target] of [
        [one, other],
        [other, one],
      ] as const) {
        t.accepted(await flags.file(reporter, complaint(target)), 'flag.rule.one-pending', 'flag.rule.reporter-tier');
      }
    }),
};

const keyless: Check = {
  ...base,
  id: 'flag/key-missing',
  title: 'A flag without a key is refused',
  clauses: ['flag.route', 'auth.agent-key.missing', 'auth.error.auth-missing'],
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target } = await pair(t);
      const clauses = ['auth.agent-key.missing', 'auth.error.auth-missing'];
      t.refused(await t.call('flag', { body: complaint(target) }), 'any/AUTH_MISSING', ...clauses);
      t.accepted(await flags.file(reporter, complaint(target)));
    }),
};

export const flagChecks: readonly Check[] = [
  filed,
  ...faulty,
  ...lengths,
  shortest,
  withoutSigil,
  sandbox,
  duplicate,
  otherPair,
  bothWays,
  keyless,
];
