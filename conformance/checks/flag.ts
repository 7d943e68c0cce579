/** Checks of POST /agent/flag: which agents may flag which others, and with which fields. Limits are in flag-limits.ts. */
import { classesOf, sigilTiersOf } from '../../spec/parts.js';
import type { Reply } from '../assertions/reply.js';
import { unreachableReason } from '../assertions/unjudged.js';
import { type Complaint, complaint, reasons } from '../moves/flag.js';
import { flagging, pair } from '../steps/flagging.js';
import { buy, purchase } from '../steps/paid.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const base = {
  needs: ['payments', 'control'],
  controls: ['flags/:id/review'],
} as const;

const filed: WrittenCheck = {
  ...base,
  id: 'flag/filed',
  title: 'An agent with a SIGIL flags another for any class, and the flag is pending',
  run: (t) =>
    flagging(t, async (flags) => {
      let { reporter, target } = await pair(t, 'org');
      const other = await t.root();
      let first: Reply | undefined;
      for (const [turn, asserted_class] of classesOf(t.protocol).entries()) {
        // A reporter may file three flags an hour, so another one flags for a class that an overlay adds.
        if (turn > 2) ({ reporter, target } = await pair(t, 'org'));
        // Flags another target while the first flag is pending, and the first target again after the review.
        if (turn === 2 && first !== undefined) await flags.review(first, 'dismiss');
        const reply = await flags.file(reporter, complaint(turn === 1 ? other : target, { asserted_class }));
        first ??= reply;
      }
    }),
};

/** Flags by eligible reporters, three for each, since a reporter may file three an hour. */
const bodies = (
  [
    [
      'refused',
      'A flag without its fields, against an unknown agent or against the reporter itself is refused',
      (t, own) => [
        { target_hash: own },
        { target_hash: `0x${own.slice(2).toUpperCase()}` },
        { target_hash: `0x${t.hex(t.protocol.agent.hashBytes)}` },
        { asserted_class: 'demigod' },
        { asserted_class: undefined },
        { target_hash: undefined },
        { target_hash: 7 },
        {},
      ],
    ],
    [
      'reasons',
      'A flag whose reason is empty or over 2000 characters is refused',
      ({ protocol }) => Object.values(reasons(protocol)).map((reason) => ({ reason })),
    ],
  ] as readonly (readonly [string, string, (t: Trial, own: string) => readonly Complaint[]])[]
).map(
  ([word, title, bodiesOf]): WrittenCheck => ({
    ...base,
    id: `flag/${word}`,
    title,
    run: (t) =>
      flagging(t, async (flags) => {
        for (let n = 0, count = 1; n < count; n += 3) {
          const { reporter, target } = await pair(t);
          const all = bodiesOf(t, reporter.hash);
          count = all.length;
          for (const more of all.slice(n, n + 3))
            await flags.file(reporter, complaint(target, more), { mayMiss: true });
        }
      }),
  }),
);

const sandbox: WrittenCheck = {
  ...base,
  id: 'flag/reporter-sandbox',
  title: 'A flag by an agent of the sandbox tier is refused',
  unsuitableFor: ({ protocol }) =>
    sigilTiersOf(protocol).includes('sbx') ? undefined : unreachableReason('there is no tier sbx'),
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target } = await pair(t, 'eph');
      const [sandboxed, above] = [await t.walletRoot({ init: true }), await t.walletRoot({ init: true })];
      await buy(t, sandboxed, purchase(t, { tier: 'sbx' }));
      // A higher class does not lift an agent out of the sandbox tier.
      const identity_class = classesOf(t.protocol)[1] ?? 'narrow_task';
      await buy(t, above, purchase(t, { tier: 'sbx', identity_class }), identity_class);
      // Only the tier of the reporter counts, not that of the target.
      for (const [by, flagged] of [
        [above, target],
        [sandboxed, target],
        [sandboxed, reporter],
        [reporter, target],
        [reporter, sandboxed],
      ] as const)
        await flags.file(by, complaint(flagged));
    }),
};

const pairs: WrittenCheck = {
  ...base,
  id: 'flag/pairs',
  title:
    'A second flag of the same reporter and target is refused until the first is reviewed, and other pairs may flag',
  run: (t) =>
    flagging(t, async (flags) => {
      const [one, other] = [await pair(t, 'sov'), await pair(t)];
      const first = await flags.file(one.reporter, complaint(one.target));
      // Only the pair counts, whatever the other fields are.
      const more = { asserted_class: classesOf(t.protocol).at(-1), reason: 'it decides by itself' };
      await flags.file(one.reporter, complaint(one.target, more));
      await flags.file(one.reporter, complaint(other.reporter));
      await flags.file(other.reporter, complaint(one.reporter));
      const second = await flags.file(other.reporter, complaint(one.target));
      for (const reviewed of [first, second]) await flags.review(reviewed, 'dismiss');
      await flags.file(other.reporter, complaint(one.reporter));
    }),
};

export const flagChecks: readonly WrittenCheck[] = [filed, ...bodies, sandbox, pairs];
