/** The fields of a SIGIL purchase (4.6): what each takes and what it does not. */
import { addedTiers, sigilTiersOf } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import { sigilTiers } from '../../spec/vocabulary.js';
import { buy, type Purchase, purchase } from '../steps/paid.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const fees =
  (count: number) =>
  ({ sigil }: Protocol): number =>
    count * sigil.narrowTaskFeeLamports;

/** Purchases of one agent with a fault each, as many as its limit leaves, and one without a fault that is at the edge of the field. */
interface Faults {
  readonly word: string;
  readonly title: string;
  readonly clauses: readonly [field: string, ...refused: string[]];
  readonly purchases: (t: Trial) => { readonly bad: readonly Purchase[]; readonly good?: Purchase };
}

const principal = ['sigil.body.principal', 'sigil.error.validation.parameters', 'sigil.field.principal'] as const;

const faults: readonly Faults[] = [
  {
    word: 'class',
    title: 'An identity class that is unknown, missing or no string is refused',
    clauses: ['sigil.body.identity-class', 'sigil.error.validation'],
    purchases: () => ({ bad: ['omniscient', undefined, 1].map((identity_class) => ({ identity_class })) }),
  },
  {
    word: 'tier',
    title: 'A tier that is unknown, missing or no string is refused',
    clauses: ['sigil.body.tier', 'sigil.error.validation.tier'],
    purchases: () => ({ bad: ['vip', undefined, 1].map((tier) => ({ tier })) }),
  },
  {
    word: 'principal',
    title: 'A principal has at least one character, and none in upper case',
    clauses: principal,
    purchases: (t) => ({
      bad: [undefined, 7, '', 'Acme'].map((each) => ({ principal: each })),
      good: { principal: 'p', name: t.word() },
    }),
  },
  {
    word: 'principal-form',
    title: 'A principal begins with a letter or a digit, and has hyphens besides',
    clauses: principal,
    purchases: () => ({
      bad: ['-acme', '.7', 'ac_me', 'аcme'].map((each) => ({ principal: each })),
      good: { principal: '0--9-' },
    }),
  },
  {
    word: 'principal-length',
    title: 'A principal has at most 24 characters, no star, and no line end after it',
    clauses: principal,
    purchases: (t) => {
      const longest = 'p'.repeat(t.protocol.sigil.principalCharsMax);
      const bad = [`${t.word()}\n`, 'ac*me', `${longest}p`].map((each) => ({ principal: each }));
      return { bad, good: { principal: longest } };
    },
  },
  {
    word: 'name',
    title: 'A custom name has at most 48 characters, and no other ones than a principal',
    clauses: ['name.sigil.custom', 'sigil.body.name', 'sigil.error.validation.parameters', 'sigil.field.sigil-name'],
    purchases: (t) => {
      const longest = t.word().padEnd(t.protocol.sigil.nameCharsMax, 'n');
      return { bad: [7, 'no*stars', `${longest}n`].map((name) => ({ name })), good: { name: longest } };
    },
  },
];

const faultChecks = faults.map(
  ({ word, title, clauses, purchases }): Check => ({
    ...base,
    id: `sigil/${word}`,
    title,
    clauses,
    requests: 15,
    lamports: fees(5),
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      const { bad, good } = purchases(t);
      for (const each of bad) await buy(t, agent, purchase(t, each));
      t.accepted(await buy(t, agent, purchase(t, good)), clauses[0]);
    },
  }),
);

const tiers: Check = {
  ...base,
  id: 'sigil/tiers',
  title: 'A SIGIL of each tier is sold, and names it',
  clauses: ['sigil.body.tier', 'sigil.field.tier', 'sigil.field.sigil'],
  walletRegisters: 10,
  requests: 30,
  lamports: fees(5),
  async run(t) {
    for (const tier of [...sigilTiers, ...addedTiers(t.protocol)]) {
      const reply = await buy(t, await t.walletRoot({ init: true }), purchase(t, { tier, name: t.word() }));
      if (sigilTiersOf(t.protocol).includes(tier)) t.accepted(reply, 'sigil.body.tier');
    }
  },
};

const nameAuto: Check = {
  ...base,
  id: 'sigil/name-auto',
  title: 'Without a name, or with auto, the service names the SIGIL',
  clauses: ['sigil.body.name', 'name.sigil.auto'],
  walletRegisters: 6,
  requests: 18,
  lamports: fees(3),
  async run(t) {
    // auto is no name of its own: it is never taken.
    const { principal } = purchase(t);
    for (const more of [{}, { name: 'auto' }, { name: 'auto' }]) {
      const agent = await t.walletRoot({ init: true });
      t.accepted(await buy(t, agent, purchase(t, { ...more, principal })), 'sigil.body.name');
    }
  },
};

const nameTaken: Check = {
  ...base,
  id: 'sigil/name-taken',
  title: 'A name is taken once under a principal, and free under another',
  clauses: ['sigil.error.sigil-name-taken', 'sigil.body.name'],
  walletRegisters: 10,
  requests: 36,
  lamports: fees(5),
  refusal: true,
  async run(t) {
    const [one, other] = [await t.walletRoot({ init: true }), await t.walletRoot({ init: true })];
    const what = purchase(t, { name: t.word() });
    // A purchase that is refused takes no name.
    await t.call('sigil', { key: other.key, body: { ...what, payment_tx: t.hex(32) } });
    t.accepted(await buy(t, one, what), 'sigil.body.name');
    const again = await buy(t, other, what);
    // That a name is taken once is a decision: who does without has sold this one.
    const buyer = again.status < 300 ? await t.walletRoot({ init: true }) : other;
    t.accepted(await buy(t, buyer, { ...what, principal: t.word() }), 'sigil.body.name');
    // A principal has as many names as are bought under it.
    for (let count = 0; count < 2; count += 1) {
      const next = await t.walletRoot({ init: true });
      t.accepted(await buy(t, next, { ...what, name: t.word() }), 'sigil.body.name');
    }
  },
};

export const sigilFieldChecks: readonly Check[] = [...faultChecks, tiers, nameAuto, nameTaken];
