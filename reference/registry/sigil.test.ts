import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { sigil as endpoint } from '../../spec/endpoints/index.js';
import { protocol } from '../../spec/protocol.js';
import { golden } from '../../test/fixtures/golden.js';
import {
  codeOf,
  nowMsOf,
  passAnchors,
  paymentOf,
  SIGIL_FEES,
  testAgent,
  testRegistry,
} from '../../test/fixtures/registry.js';
import { nextHex } from './columns/stream.js';
import { type SigilInput, sigil } from './sigil.js';
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
describe('SIGIL names (D-17)', () => {
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
