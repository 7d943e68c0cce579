import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { sigil as endpoint } from '../../spec/endpoints/index.js';
import { errors } from '../../spec/errors.js';
import { protocol } from '../../spec/protocol.js';
import { golden } from '../../test/fixtures/golden.js';
import {
  codeOf,
  nowMsOf,
  passAnchors,
  paymentOf,
  putAgent,
  SIGIL_FEES,
  testAgent,
  testRegistry,
} from '../../test/fixtures/registry.js';
import { nextHex } from './columns/stream.js';
import { feeTotals } from './fee-book.js';
import { fingerprint } from './fingerprint.js';
import { lineageChainHash } from './lineage.js';
import type { Payment } from './payment.js';
import { recordBirth, type SigilInput, sigil } from './sigil.js';
import type { Registry } from './state.js';
import { sigilView } from './verify.js';

let registry: Registry;
let agent: number;

beforeEach(() => {
  registry = testRegistry();
  agent = testAgent(registry, { sigil: null });
  passAnchors(registry, 3);
});

const input = (over: Partial<SigilInput> = {}): SigilInput => ({
  agent,
  identityClass: 'narrow_task',
  principal: 'acme',
  tier: 'org',
  payment: paymentOf(registry, agent, 50_000_000, 'tx'),
  ...over,
});
const buy = (over: Partial<SigilInput> = {}) => sigil(registry, input(over), nowMsOf(registry));
/** Another agent, which buys. */
const buyAnother = (over: Partial<SigilInput>, id: string) => {
  const other = testAgent(registry, { sigil: null });
  return buy({ agent: other, payment: paymentOf(registry, other, 50_000_000, id), ...over });
};

describe('a bought SIGIL (4.6, 2.7)', () => {
  it.each(Object.entries(SIGIL_FEES))('of class %s costs %i lamports, not one more or less', (name, fee) => {
    const identityClass = name as keyof typeof SIGIL_FEES;
    const pay = (lamports: number) => ({ identityClass, payment: paymentOf(registry, agent, lamports, 'tx') });
    expect(codeOf(buy(pay(fee - 1)))).toBe('sigil/PAYMENT_INVALID');
    expect(codeOf(buy(pay(fee + 1)))).toBe('sigil/PAYMENT_INVALID');
    expect(buy(pay(fee))).toMatchObject({ ok: true, feeLamports: fee });
    expect(feeTotals(registry.feeBook, 'sigil')).toMatchObject({ count: 1, totalLamports: fee });
  });

  it('reads as name*principal*tier with its class, beat and birth record', () => {
    const before = lineageChainHash(registry, agent);
    buy({ name: 'weather', tier: 'sov', identityClass: 'narrow_task' });
    recordBirth(registry, { agent, birthTx: 'birth' });
    expect(sigilView(registry, agent)).toEqual({
      sigil: 'weather*acme*sov',
      sigil_name: 'weather',
      principal: 'acme',
      tier: 'sov',
      identity_class: 'narrow_task',
      issued_at_beat: 3,
      birth_tx: 'birth',
      explorer_url: 'https://explorer.solana.com/tx/birth?cluster=devnet',
    });
    expect(registry.sigils.get(agent)?.generation).toBe(1);
    expect(lineageChainHash(registry, agent)).not.toBe(before);
  });

  it('cannot have its birth recorded where there is none', () => {
    expect(() => recordBirth(registry, { agent, birthTx: 'birth' })).toThrow(/no SIGIL/);
  });
});

describe('SIGIL names (D-17)', () => {
  it.each([undefined, 'auto'])('%s makes auto- and 8 hex', (name) => {
    const bought = buy({ name });
    expect(bought.ok && bought.sigil.name).toMatch(/^auto-[0-9a-f]{8}$/);
  });

  it('an automatic name is one that the principal has not', () => {
    const twin = testRegistry();
    const same = testAgent(twin, { sigil: null });
    passAnchors(twin, 3);
    const drawn = buy();
    const name = drawn.ok ? drawn.sigil.name : '';
    twin.sigilNames.add(`${name}*acme`);
    const payment = paymentOf(twin, same, 50_000_000, 'tx');
    const other = sigil(twin, { ...input(), agent: same, payment }, nowMsOf(twin));
    expect(other.ok && other.sigil.name).toMatch(/^auto-[0-9a-f]{8}$/);
    expect(other.ok && other.sigil.name).not.toBe(name);
  });

  it('are taken under their principal alone', () => {
    expect(codeOf(buy({ name: 'weather' }))).toBe('accepted');
    expect(codeOf(buyAnother({ name: 'weather' }, 'tx 2'))).toBe('sigil/SIGIL_NAME_TAKEN');
    expect(codeOf(buyAnother({ name: 'weather', tier: 'ind', identityClass: 'autonomous' }, 'tx 3'))).toBe(
      'sigil/SIGIL_NAME_TAKEN',
    );
    expect(codeOf(buyAnother({ name: 'weather', principal: 'acme-2' }, 'tx 4'))).toBe('accepted');
  });

  it('that was refused is still free', () => {
    expect(codeOf(buy({ name: 'weather', payment: 'unknown' }))).toBe('sigil/PAYMENT_INVALID');
    expect(codeOf(buyAnother({ name: 'weather' }, 'tx 2'))).toBe('accepted');
  });

  it('[sigil.error.sigil-name-taken] [name.sigil.auto] are never equal under one principal, whatever is bought, refused or generated in any order', () => {
    const buyer = fc.record({
      // `the next` is the name that an automatic one would get now.
      name: fc.constantFrom(undefined, 'auto', 'a', 'b', 'auto-00000000', 'the next'),
      principal: fc.constantFrom('acme', 'acme', 'a', 'acme-2'),
      tier: fc.constantFrom('sov', 'org', 'sbx'),
      identityClass: fc.constantFrom('narrow_task', 'autonomous', 'orchestrator'),
      lamportsOff: fc.constantFrom(0, 0, 0, 1),
    });
    let avoided = 0;
    const property = fc.property(fc.array(buyer, { minLength: 10, maxLength: 40 }), (buyers) => {
      const market = testRegistry();
      const names = new Map<string, string[]>();
      const rows = buyers.map(() => testAgent(market, { sigil: null }));
      for (const [nth, { name: wish, principal, tier, identityClass, lamportsOff }] of buyers.entries()) {
        const taken = names.get(principal) ?? [];
        const next = `auto-${nextHex({ ...market.stream }, 4)}`;
        const name = wish === 'the next' ? next : wish;
        const payment = paymentOf(market, nth, SIGIL_FEES[identityClass] + lamportsOff, `tx ${nth}`);
        const bought = sigil(market, { agent: nth, identityClass, principal, tier, name, payment }, nowMsOf(market));
        const automatic = name === undefined || name === 'auto';
        const clash = !automatic && taken.includes(name);
        const wanted = clash ? 'sigil/SIGIL_NAME_TAKEN' : lamportsOff > 0 ? 'sigil/PAYMENT_INVALID' : 'accepted';
        expect([nth, codeOf(bought)]).toEqual([nth, wanted]);
        if (!bought.ok) continue;
        if (automatic) expect(bought.sigil.name).toMatch(/^auto-[0-9a-f]{8}$/);
        else expect(bought.sigil.name).toBe(name);
        if (automatic && taken.includes(next)) avoided += 1;
        names.set(principal, [...taken, bought.sigil.name]);
      }
      for (const held of names.values()) expect(new Set(held).size).toBe(held.length);
      const full = rows.flatMap((row) => sigilView(market, row)?.sigil ?? []);
      expect(full).toHaveLength([...names.values()].flat().length);
    });
    fc.assert(property, { seed: 17, numRuns: 250 });
    // A new name was drawn, because a custom one had taken the first.
    expect(avoided).toBeGreaterThan(0);
  });

  interface NameCase {
    readonly name: string;
    readonly sigil_name: string;
    readonly principal: string;
    readonly tier: string;
    readonly valid: boolean;
    readonly sigil?: string;
  }
  const schema = endpoint.body({ protocol, dialect: dialects.service });

  it.each(golden<NameCase>('sigil-names'))('golden: $name', (entry) => {
    const body = {
      identity_class: 'narrow_task',
      principal: entry.principal,
      tier: entry.tier,
      name: entry.sigil_name,
    };
    const parsed = schema.safeParse(body);
    expect(parsed.success).toBe(entry.valid);
    if (!parsed.success || entry.sigil_name === 'auto') return;
    expect(codeOf(buy({ principal: parsed.data.principal, tier: parsed.data.tier, name: parsed.data.name }))).toBe(
      'accepted',
    );
    expect(sigilView(registry, agent)?.sigil).toBe(entry.sigil);
  });
});

describe('refusals of a SIGIL', () => {
  const paid = (over: Partial<Payment>): Payment => ({ ...paymentOf(registry, agent, 50_000_000, 'tx'), ...over });

  const put = (values: Parameters<typeof putAgent>[2]) => () => putAgent(registry, agent, values);
  const faults: readonly (readonly [string, string, () => unknown, Partial<SigilInput>])[] = [
    ['the agent has one', 'SIGIL_ALREADY_EXISTS', put({ identityClass: 1 }), {}],
    ['no wallet', 'WALLET_REQUIRED', put({ wallet: -1 }), {}],
    ['no payment', 'PAYMENT_REQUIRED', () => undefined, { payment: 'missing' }],
    ['the name is taken', 'SIGIL_NAME_TAKEN', () => registry.sigilNames.add('n*acme'), { name: 'n' }],
    ['the payment is unknown', 'PAYMENT_INVALID', () => undefined, { payment: 'unknown' }],
    ['the payment has been used', 'PAYMENT_ALREADY_USED', () => registry.usedPayments.add('tx'), {}],
  ];

  it.each(faults)('%s: %s, and nothing changes', (_fault, code, spoil, over) => {
    spoil();
    const before = fingerprint(registry);
    expect(codeOf(buy(over))).toBe(`sigil/${code}`);
    expect(fingerprint(registry)).toBe(before);
  });

  it('a payment that does not count, or of a stranger', () => {
    expect(codeOf(buy({ payment: paid({ counts: false }) }))).toBe('sigil/PAYMENT_INVALID');
    expect(codeOf(buy({ payment: paid({ sender: -1 }) }))).toBe('sigil/PAYMENT_SENDER_MISMATCH');
  });

  it('a payment that has bought a SIGIL, shown by another agent with the same wallet', () => {
    expect(codeOf(buy())).toBe('accepted');
    const twin = testAgent(registry, { sigil: null });
    putAgent(registry, twin, { wallet: registry.agents.line.wallet(agent) });
    expect(codeOf(buy({ agent: twin, payment: paid({}) }))).toBe('sigil/PAYMENT_ALREADY_USED');
    expect(codeOf(buy({ agent: twin, payment: paid({ id: 'second' }) }))).toBe('accepted');
  });

  it('without the wallet policy an agent without a wallet is accepted, whoever paid', () => {
    registry = testRegistry({ policy: { byoWallet: false } });
    const payment = paymentOf(registry, testAgent(registry), 50_000_000, 'tx');
    agent = testAgent(registry, { sigil: null, wallet: false });
    expect(codeOf(buy({ payment }))).toBe('accepted');
  });

  it('a second SIGIL, bought properly', () => {
    expect(codeOf(buy())).toBe('accepted');
    expect(codeOf(buy({ payment: paid({ id: 'second' }), name: 'other' }))).toBe('sigil/SIGIL_ALREADY_EXISTS');
  });

  it('come in the order of spec/errors', () => {
    const wallet = registry.agents.line.wallet(agent);
    registry.sigilNames.add('n*acme');
    registry.usedPayments.add('tx');
    putAgent(registry, agent, { identityClass: 1, wallet: -1 });
    const steps: readonly (readonly [Parameters<typeof putAgent>[2], Partial<SigilInput>])[] = [
      [{}, { name: 'n', payment: 'missing' }],
      [{ identityClass: 0 }, { name: 'n', payment: 'missing' }],
      [{ wallet }, { name: 'n', payment: 'missing' }],
      [{}, { name: 'n', payment: 'unknown' }],
      [{}, { payment: 'unknown' }],
      [{}, { payment: paid({ sender: -1 }) }],
      [{}, { payment: paid({ id: 'unused', sender: -1 }) }],
    ];
    const outcomes = steps.map(([values, over]) => {
      putAgent(registry, agent, values);
      return codeOf(buy(over));
    });
    expect(outcomes).toEqual([
      'sigil/SIGIL_ALREADY_EXISTS',
      'sigil/WALLET_REQUIRED',
      'sigil/PAYMENT_REQUIRED',
      'sigil/SIGIL_NAME_TAKEN',
      'sigil/PAYMENT_INVALID',
      'sigil/PAYMENT_ALREADY_USED',
      'sigil/PAYMENT_SENDER_MISMATCH',
    ]);
    expect(Object.keys(errors).filter((key) => outcomes.includes(key))).toEqual(outcomes);
  });
});
