/** The fields of a SIGIL purchase (4.6): what each takes and what it does not. */

import { matches } from '../../model/reading/field-tests.js';
import type { Protocol } from '../../spec/protocol.js';
import { buy, type Purchase, purchase } from '../steps/paid.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const twoFees = ({ sigil }: Protocol): number => 2 * sigil.narrowTaskFeeLamports;

/** The clauses of a field, those of its refusal after it. */
interface Field {
  readonly field: string;
  readonly refused: readonly string[];
}

/** A purchase with one fault, and its twin without, each with a payment of its own. */
function fault(
  word: string,
  title: string,
  { field, refused }: Field,
  parts: (t: Trial) => { readonly bad: Purchase; readonly good?: Purchase },
): Check {
  return {
    ...base,
    id: `sigil/${word}`,
    title,
    clauses: [field, ...refused],
    requests: 9,
    lamports: twoFees,
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      const { bad, good } = parts(t);
      t.refused(await buy(t, agent, purchase(t, bad)), 'sigil/VALIDATION', field, ...refused);
      const taken = t.accepted(await buy(t, agent, purchase(t, good)), field);
      if (good?.principal !== undefined) t.shows(field).exactField(taken, 'sigil.principal', good.principal);
      if (good?.name === undefined) return;
      t.shows(field).exactField(taken, 'sigil.sigil_name', good.name);
      // How long a name may be is not shown: one that is taken is the SIGIL's, to its last character.
      t.alsoShows('sigil.field.sigil-name', 'sigil.body.name').exactField(taken, 'sigil.sigil_name', good.name);
    },
  };
}

const identityClass: Field = { field: 'sigil.body.identity-class', refused: ['sigil.error.validation'] };
const tier: Field = { field: 'sigil.body.tier', refused: ['sigil.error.validation.tier'] };
const principal: Field = { field: 'sigil.body.principal', refused: ['sigil.error.validation.parameters'] };
const name: Field = { field: 'sigil.body.name', refused: ['sigil.error.validation.parameters'] };
const customName: Field = { field: 'name.sigil.custom', refused: [] };

const faults: readonly Check[] = [
  fault('class-unknown', 'An unknown identity class is refused', identityClass, () => ({
    bad: { identity_class: 'omniscient' },
  })),
  fault('class-missing', 'A missing identity class is refused', identityClass, () => ({
    bad: { identity_class: undefined },
  })),
  fault('class-number', 'An identity class that is no string is refused', identityClass, () => ({
    bad: { identity_class: 1 },
  })),
  fault('tier-unknown', 'An unknown tier is refused', tier, () => ({ bad: { tier: 'vip' } })),
  fault('tier-missing', 'A missing tier is refused', tier, () => ({ bad: { tier: undefined } })),
  fault('tier-number', 'A tier that is no string is refused', tier, () => ({ bad: { tier: 1 } })),
  fault('principal-missing', 'A missing principal is refused', principal, () => ({ bad: { principal: undefined } })),
  fault('principal-number', 'A principal that is no string is refused', principal, () => ({ bad: { principal: 7 } })),
  fault('principal-empty', 'A principal has at least one character', principal, (t) => ({
    bad: { principal: '' },
    good: { principal: 'p', name: t.word() },
  })),
  fault('principal-upper-case', 'A principal in upper case is refused', principal, () => ({
    bad: { principal: 'Acme' },
    good: { principal: 'acme' },
  })),
  fault('principal-hyphen-first', 'A principal that begins with a hyphen is refused', principal, () => ({
    bad: { principal: '-acme' },
    good: { principal: 'acme-' },
  })),
  fault('principal-digit-first', 'A principal may begin with a digit, and not with a full stop', principal, () => ({
    bad: { principal: '.7' },
    good: { principal: '0-9' },
  })),
  fault('principal-other-character', 'A principal with an underscore is refused', principal, () => ({
    bad: { principal: 'ac_me' },
    good: { principal: 'ac-me' },
  })),
  fault('principal-other-script', 'A principal with a letter of another script is refused', principal, () => ({
    bad: { principal: 'аcme' },
    good: { principal: 'a--c' },
  })),
  fault('principal-line-end', 'A principal with a line end after it is refused', principal, (t) => ({
    bad: { principal: `${t.word()}\n` },
  })),
  fault('principal-star', 'A principal with a star, which parts the name of a SIGIL, is refused', principal, () => ({
    bad: { principal: 'ac*me' },
  })),
  fault('principal-length', 'A principal has at most 24 characters', principal, ({ protocol }) => ({
    bad: { principal: 'p'.repeat(protocol.sigil.principalCharsMax + 1) },
    good: { principal: 'p'.repeat(protocol.sigil.principalCharsMax) },
  })),
  fault('name-length', 'A custom name has at most 48 characters', customName, (t) => {
    const longest = t.word().padEnd(t.protocol.sigil.nameCharsMax, 'n');
    return { bad: { name: `${longest}n` }, good: { name: longest } };
  }),
  fault('name-form', 'A custom name with another character is refused', customName, (t) => ({
    bad: { name: 'no*stars' },
    good: { name: t.word() },
  })),
  fault('name-number', 'A SIGIL name that is no string is refused', name, (t) => ({
    bad: { name: 7 },
    good: { name: t.word() },
  })),
];

const sigilNameAuto: Check = {
  ...base,
  id: 'sigil/name-auto',
  title: 'Without a name, or with auto, the service names the SIGIL',
  clauses: ['sigil.body.name', 'name.sigil.auto'],
  walletRegisters: 6,
  requests: 18,
  lamports: ({ sigil }) => 3 * sigil.narrowTaskFeeLamports,
  async run(t) {
    const chars = 2 * t.protocol.sigil.autoNameBytes;
    const form = matches(new RegExp(`^auto-[0-9a-f]{${chars}}$`), `auto- and ${chars} hex characters`);
    // auto is no name of its own: it is never taken.
    const { principal } = purchase(t);
    const names = new Set<unknown>();
    for (const more of [{}, { name: 'auto' }, { name: 'auto' }]) {
      const agent = await t.walletRoot({ init: true });
      const reply = t.accepted(await buy(t, agent, purchase(t, { ...more, principal })), 'sigil.body.name');
      t.shows('name.sigil.auto').fieldIs(reply, 'sigil.sigil_name', form);
      names.add(reply.get('sigil.sigil'));
    }
    t.shows('sigil.body.name').that('SIGILs named by the service', names.size === 3, 'three', `${names.size}`);
  },
};

const sigilNameTaken: Check = {
  ...base,
  id: 'sigil/name-taken',
  title: 'A name is taken once under a principal, and free under another',
  clauses: ['sigil.error.sigil-name-taken', 'sigil.body.name'],
  walletRegisters: 8,
  requests: 31,
  lamports: ({ sigil }) => 5 * sigil.narrowTaskFeeLamports,
  refusal: true,
  async run(t) {
    const [one, other] = [await t.walletRoot({ init: true }), await t.walletRoot({ init: true })];
    const what = purchase(t, { name: t.word() });
    // A purchase that is refused takes no name.
    await t.call('sigil', { key: other.key, body: { ...what, payment_tx: t.hex(32) } });
    t.accepted(await buy(t, one, what), 'sigil.body.name');
    t.refused(await buy(t, other, what), 'sigil/SIGIL_NAME_TAKEN', 'sigil.error.sigil-name-taken');
    t.accepted(await buy(t, other, { ...what, principal: t.word() }), 'sigil.body.name');
    // A principal has as many names as are bought under it.
    for (let count = 0; count < 2; count += 1) {
      const next = await t.walletRoot({ init: true });
      t.accepted(await buy(t, next, { ...what, name: t.word() }), 'sigil.body.name');
    }
  },
};

export const sigilFieldChecks: readonly Check[] = [...faults, sigilNameAuto, sigilNameTaken];
