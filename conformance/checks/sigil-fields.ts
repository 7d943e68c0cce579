/** The fields of a SIGIL purchase (4.6): the values that each accepts and refuses. */
import { addedTiers, sigilTiersOf } from '../../spec/parts.js';
import { sigilTiers } from '../../spec/vocabulary.js';
import { buySigil, type Purchase, principalLengths, purchaseFaults } from '../moves/sigil.js';
import { buy, purchase } from '../steps/paid.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['payments'] } as const;
/** Purchases of one agent: as many faulty ones as its limit allows, and a valid one at the bound of the field. */
interface Faults {
  readonly word: string;
  /** The clause for which the valid purchase is evidence. */
  readonly shows: string;
  readonly title: string;
  readonly purchases: (t: Trial) => { readonly bad: readonly Purchase[]; readonly good?: Purchase };
}

const faults: readonly Faults[] = [
  {
    word: 'class',
    shows: 'sigil.body.identity-class',
    title: 'An identity class that is unknown, missing or not a string is refused',
    purchases: () => ({ bad: Object.values(purchaseFaults.class) }),
  },
  {
    word: 'tier',
    shows: 'sigil.body.tier',
    title: 'A tier that is unknown, missing or not a string is refused',
    purchases: () => ({ bad: Object.values(purchaseFaults.tier) }),
  },
  {
    word: 'principal',
    shows: 'sigil.body.principal',
    title: 'An empty principal, or one with capitals, is refused',
    purchases: (t) => ({
      bad: Object.values(purchaseFaults.principal),
      good: { principal: 'p', name: t.word() },
    }),
  },
  {
    word: 'principal-form',
    shows: 'sigil.body.principal',
    title:
      'A principal that begins with a hyphen, or has other characters than letters, digits and hyphens, is refused',
    purchases: () => ({
      bad: Object.values(purchaseFaults['principal-form']),
      good: { principal: '0--9-' },
    }),
  },
  {
    word: 'principal-length',
    shows: 'sigil.body.principal',
    title: 'A principal of more than 24 characters, or with a star or a line end, is refused',
    purchases: (t) => {
      const { longest, long } = principalLengths(t.protocol);
      const bad = [`${t.word()}\n`, 'ac*me', long].map((each) => ({ principal: each }));
      return { bad, good: { principal: longest } };
    },
  },
  {
    word: 'name',
    shows: 'name.sigil.custom',
    title: 'A custom name of more than 48 characters, or with characters that a principal may not have, is refused',
    purchases: (t) => {
      const longest = t.word().padEnd(t.protocol.sigil.nameCharsMax, 'n');
      return { bad: [...Object.values(purchaseFaults.name), { name: `${longest}n` }], good: { name: longest } };
    },
  },
];

const faultChecks = faults.map(
  ({ word, shows, title, purchases }): WrittenCheck => ({
    ...base,
    id: `sigil/${word}`,
    title,
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      const { bad, good } = purchases(t);
      for (const each of bad) await buy(t, agent, purchase(t, each));
      t.accepted(await buy(t, agent, purchase(t, good)), shows);
    },
  }),
);

const tiers: WrittenCheck = {
  ...base,
  id: 'sigil/tiers',
  title: 'A purchase of each tier is accepted, and the SIGIL shows the tier',
  async run(t) {
    for (const tier of [...sigilTiers, ...addedTiers(t.protocol)]) {
      const reply = await buy(t, await t.walletRoot({ init: true }), purchase(t, { tier, name: t.word() }));
      if (sigilTiersOf(t.protocol).includes(tier)) t.accepted(reply, 'sigil.body.tier');
    }
  },
};

const nameAuto: WrittenCheck = {
  ...base,
  id: 'sigil/name-auto',
  title: 'A purchase without a name, or with auto, returns a generated name',
  async run(t) {
    // `auto` asks for a generated name, so it is never a duplicate.
    const { principal } = purchase(t);
    for (const more of [{}, { name: 'auto' }, { name: 'auto' }]) {
      const agent = await t.walletRoot({ init: true });
      t.accepted(await buy(t, agent, purchase(t, { ...more, principal })), 'sigil.body.name');
    }
  },
};

const nameTaken: WrittenCheck = {
  ...base,
  id: 'sigil/name-taken',
  title: 'A used name is refused under the same principal, and accepted under another',
  async run(t) {
    const [one, other] = [await t.walletRoot({ init: true }), await t.walletRoot({ init: true })];
    const what = purchase(t, { name: t.word() });
    // A refused purchase does not reserve its name.
    await t.send(buySigil(other, what, t.hex(32)));
    t.accepted(await buy(t, one, what), 'sigil.body.name');
    const again = await buy(t, other, what);
    // Only a decision says that a name is unique: a server without that rule has sold this one.
    const buyer = again.status < 300 ? await t.walletRoot({ init: true }) : other;
    t.accepted(await buy(t, buyer, { ...what, principal: t.principal() }), 'sigil.body.name');
    // A principal may have any number of names.
    for (let count = 0; count < 2; count += 1) {
      const next = await t.walletRoot({ init: true });
      t.accepted(await buy(t, next, { ...what, name: t.word() }), 'sigil.body.name');
    }
  },
};

export const sigilFieldChecks: readonly WrittenCheck[] = [...faultChecks, tiers, nameAuto, nameTaken];
