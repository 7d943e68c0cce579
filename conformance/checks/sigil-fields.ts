import type { Protocol } from '../../spec/protocol.js';
import { buy, type Purchase, purchase } from '../steps/paid.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const twoFees = ({ sigil }: Protocol): number => 2 * sigil.narrowTaskFeeLamports;

/** A purchase with one fault, and its twin without, each with a payment of its own. */
function fault(
  word: string,
  title: string,
  clauses: readonly string[],
  parts: (t: Trial) => { readonly bad: Purchase; readonly good?: Purchase },
  decision?: string,
): Check {
  return {
    ...base,
    id: `sigil/${word}`,
    title,
    clauses,
    requests: 9,
    lamports: twoFees,
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      const { bad, good } = parts(t);
      t.refused(await buy(t, agent, purchase(t, bad)), 'sigil/VALIDATION', decision);
      t.accepted(await buy(t, agent, purchase(t, good)));
    },
  };
}

const principalClauses = ['sigil.body.principal', 'sigil.error.validation.parameters'];

const faults: readonly Check[] = [
  fault(
    'class-unknown',
    'An unknown identity class is refused',
    ['sigil.body.identity-class', 'sigil.error.validation'],
    () => ({
      bad: { identity_class: 'omniscient' },
    }),
  ),
  fault(
    'class-missing',
    'A missing identity class is refused',
    ['sigil.body.identity-class', 'sigil.error.validation'],
    () => ({
      bad: { identity_class: undefined },
    }),
  ),
  fault('tier-unknown', 'An unknown tier is refused', ['sigil.body.tier', 'sigil.error.validation.tier'], () => ({
    bad: { tier: 'vip' },
  })),
  fault('tier-missing', 'A missing tier is refused', ['sigil.body.tier', 'sigil.error.validation.tier'], () => ({
    bad: { tier: undefined },
  })),
  fault('principal-missing', 'A missing principal is refused', principalClauses, () => ({
    bad: { principal: undefined },
  })),
  fault('principal-empty', 'An empty principal is refused', principalClauses, () => ({ bad: { principal: '' } })),
  fault('principal-upper-case', 'A principal in upper case is refused', principalClauses, () => ({
    bad: { principal: 'Acme' },
  })),
  fault('principal-hyphen-first', 'A principal that begins with a hyphen is refused', principalClauses, () => ({
    bad: { principal: '-acme' },
    good: { principal: 'acme-' },
  })),
  fault('principal-other-character', 'A principal with an underscore is refused', principalClauses, () => ({
    bad: { principal: 'ac_me' },
    good: { principal: 'ac-me' },
  })),
  fault('principal-length', 'A principal has at most 24 characters', principalClauses, ({ protocol }) => ({
    bad: { principal: 'p'.repeat(protocol.sigil.principalCharsMax + 1) },
    good: { principal: 'p'.repeat(protocol.sigil.principalCharsMax) },
  })),
  fault(
    'name-length',
    'A custom name has at most 48 characters',
    ['name.sigil.custom'],
    (t) => {
      const longest = t.word().padEnd(t.protocol.sigil.nameCharsMax, 'n');
      return { bad: { name: `${longest}n` }, good: { name: longest } };
    },
    'D-17',
  ),
  fault(
    'name-form',
    'A custom name with another character is refused',
    ['name.sigil.custom'],
    (t) => ({
      bad: { name: 'no*stars' },
      good: { name: t.word() },
    }),
    'D-17',
  ),
  fault(
    'name-number',
    'A SIGIL name that is no string is refused',
    ['sigil.body.name', 'sigil.error.validation.parameters'],
    (t) => ({
      bad: { name: 7 },
      good: { name: t.word() },
    }),
  ),
];

const autoName: Check = {
  ...base,
  id: 'sigil/name-auto',
  title: 'Without a name, or with auto, the service names the SIGIL',
  clauses: ['sigil.body.name', 'name.sigil.auto'],
  walletRegisters: 4,
  requests: 12,
  lamports: twoFees,
  async run(t) {
    const form = new RegExp(`^auto-[0-9a-f]{${2 * t.protocol.sigil.autoNameBytes}}$`);
    for (const more of [{}, { name: 'auto' }]) {
      const agent = await t.walletRoot({ init: true });
      const name = t.accepted(await buy(t, agent, purchase(t, more))).string('sigil.sigil_name');
      t.decided('D-17', () => t.that('sigil.sigil_name', form.test(name), 'auto- and 8 hex characters', name));
    }
  },
};

const nameTaken: Check = {
  ...base,
  id: 'sigil/name-taken',
  title: 'A name is taken once under a principal, and free under another',
  clauses: ['sigil.error.sigil-name-taken'],
  walletRegisters: 4,
  requests: 16,
  lamports: ({ sigil }) => 3 * sigil.narrowTaskFeeLamports,
  refusal: true,
  async run(t) {
    const [one, other] = [await t.walletRoot({ init: true }), await t.walletRoot({ init: true })];
    const what = purchase(t, { name: t.word() });
    t.accepted(await buy(t, one, what));
    t.refused(await buy(t, other, what), 'sigil/SIGIL_NAME_TAKEN');
    t.accepted(await buy(t, other, { ...what, principal: t.word() }));
  },
};

export const sigilFieldChecks: readonly Check[] = [...faults, autoName, nameTaken];
