import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { withOverlay } from '../../spec/overlay.js';
import { nowMsOf, passAnchors, paymentOf, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { emptyHash, hashMore } from '../beats/resumable-sha256.js';
import { append } from './columns/chunk-lists.js';
import type { Delivery, Sponsorship } from './columns/records.js';
import { setFeeTable } from './fee-table.js';
import { fingerprint } from './fingerprint.js';
import { heartbeat } from './heartbeat.js';
import { issueOneTime } from './one-time.js';
import { addPartner } from './partner.js';
import { registerRoot } from './register.js';
import { resync } from './resync.js';
import { addAgentRow, createRegistry, type Registry } from './state.js';
import { grantSubsidy } from './subsidy.js';

/** A registry with something in every column and side table. */
function lived(seed = 7): Registry {
  const registry = testRegistry({ seed, policy: { beatsRequired: false } });
  registerRoot(registry, { name: 'with metadata', metadata: { a: [1, { b: null }] } }, nowMsOf(registry));
  const [one, two] = [testAgent(registry), testAgent(registry, { sigil: 'orchestrator' })];
  passAnchors(registry, 30);
  heartbeat(registry, { agent: one, payment: paymentOf(registry, one, 500_000, 'tx') }, nowMsOf(registry));
  passAnchors(registry, 31);
  resync(registry, { agent: two }, nowMsOf(registry));
  issueOneTime(registry, 'flow', 32, 300, nowMsOf(registry), { gap: 61 });
  registry.latestHashes.set(one, 'ab'.repeat(32));
  registry.usedReceipts.set('from:to', 90);
  return registry;
}

const aFlag = {
  id: 'f',
  reporter: 1,
  target: 2,
  assertedClass: 'autonomous',
  reason: 'r',
  createdAtMs: 1,
  status: 'pending',
} as const;
const aSubsidy = { agent: 1, feeType: 'sigil', discountBps: 1, reason: 'r', validUntilMs: null } as const;
const aDelivery: Delivery = {
  id: 'd',
  partner: 0,
  agent: 1,
  event: 'agent.frozen',
  body: '{}',
  failures: 0,
  dueAtMs: 1,
};

function putSponsorship({ sponsorships }: Registry): void {
  const common = { parent: 1, child: 2, createdAtMs: 1, heartbeatsEpochMax: 1, expiresAtMs: null } as const;
  const made: Sponsorship = { ...common, state: 'active', epoch: 0, used: 0 };
  sponsorships.byChild.set(2, [made]);
  sponsorships.byParent.set(1, [made]);
}

describe('the fingerprint', () => {
  it('is a SHA-256, equal for two runs of one seed and another for another', () => {
    expect(fingerprint(lived())).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprint(lived())).toBe(fingerprint(lived()));
    expect(fingerprint(lived(8))).not.toBe(fingerprint(lived()));
  });

  it('does not depend on how much room the columns have, and looking changes nothing', () => {
    const [small, roomy] = [testRegistry({ capacity: 1 }), testRegistry({ capacity: 5_000 })];
    for (const registry of [small, roomy]) for (let i = 0; i < 100; i++) testAgent(registry);
    expect(fingerprint(roomy)).toBe(fingerprint(small));
    expect(fingerprint(roomy)).toBe(fingerprint(roomy));
  });

  it.each(Object.keys(lived().agents.columns))('changes with the column %s', (name) => {
    const [before, after] = [lived(), lived()];
    const column = after.agents.columns[name as keyof typeof after.agents.columns];
    column[column.length / after.agents.capacity]! += 1;
    expect(fingerprint(after)).not.toBe(fingerprint(before));
  });

  it.each(Array.from({ length: 16 }, (_, word) => word))('changes with word %i of a line', (word) => {
    const [before, after] = [lived(), lived()];
    after.agents.line.words[16 + word]! += 1;
    expect(fingerprint(after)).not.toBe(fingerprint(before));
  });

  const sigilOf = (registry: Registry) => registry.sigils.get(1)!;
  /** One change of each part of the state that is no column, by the name of the part. */
  const changes: readonly (readonly [keyof Registry, (registry: Registry) => unknown])[] = [
    ['agents', ({ agents }) => addAgentRow(agents)],
    ['stream', ({ stream }) => Object.assign(stream, { drawn: stream.drawn + 1 })],
    ['stream', ({ stream }) => Object.assign(stream, { seed: 9 })],
    ['names', ({ names }) => names.splice(0, 1, 'other')],
    ['metadata', ({ metadata }) => metadata.set(0, { a: [1, { b: 0 }] })],
    ['metadata', ({ metadata }) => metadata.set(1, {})],
    ['sigils', (registry) => Object.assign(sigilOf(registry), { name: 'other' })],
    ['sigils', (registry) => Object.assign(sigilOf(registry), { principal: 'other' })],
    ['sigils', (registry) => Object.assign(sigilOf(registry), { tier: 'sbx' })],
    ['sigils', (registry) => Object.assign(sigilOf(registry), { birthTx: 'other' })],
    ['sigils', (registry) => Object.assign(sigilOf(registry), { paymentTx: 'other' })],
    ['sigils', (registry) => Object.assign(sigilOf(registry), { generation: 2 })],
    ['sigilNames', ({ sigilNames }) => sigilNames.add('a*b')],
    ['sigilMetadata', ({ sigilMetadata }) => sigilMetadata.set(1, { substrate: 'open' })],
    ['childNames', ({ childNames }) => childNames.set('1:kid', 2)],
    ['reservations', ({ reservations }) => reservations.set(1, [{ authorization: 'a', beats: 1, expiresAtMs: 2 }])],
    ['sponsorships', (registry) => putSponsorship(registry)],
    ['flags', ({ flags }) => flags.list.push(aFlag)],
    ['subsidies', (registry) => grantSubsidy(registry, aSubsidy, nowMsOf(registry))],
    ['feeTable', ({ feeTable }) => setFeeTable(feeTable, { reissuance: 1 })],
    ['adminKeys', ({ adminKeys }) => adminKeys.set('digest', false)],
    ['partners', (registry) => addPartner(registry, 'Acme')],
    ['outbox', ({ outbox }) => Object.assign(outbox, { emitted: 1 })],
    ['outbox', ({ outbox }) => outbox.lanes.set('0:1', [aDelivery])],
    ['outbox', ({ outbox }) => outbox.dead.push(aDelivery)],
    ['wallets', ({ wallets }) => wallets.numbers.set('wallet-9', 9)],
    ['wallets', ({ wallets }) => Object.assign(wallets, { count: 9 })],
    ['latestHashes', ({ latestHashes }) => latestHashes.clear()],
    ['oneTime', ({ oneTime }) => oneTime.clear()],
    ['oneTime', ({ oneTime }) => oneTime.set('x', { flow: 'flow', expiresAtMs: 0 })],
    ['usedPayments', ({ usedPayments }) => usedPayments.delete('tx')],
    ['usedReceipts', ({ usedReceipts }) => usedReceipts.set('from:to', 91)],
    ['lineages', ({ lineages }) => lineages.set(1, hashMore(emptyHash, 'x'))],
    ['deposits', ({ deposits }) => deposits.byAgent.set(1, 7)],
    ['feeBook', ({ feeBook }) => feeBook.sums.fill(1, 0, 1)],
    ['wheel', ({ wheel }) => append(wheel, 0, 1)],
    ['anchorIndex', (registry) => Object.assign(registry, { anchorIndex: 62 })],
    ['anchorAtMs', (registry) => Object.assign(registry, { anchorAtMs: 1 })],
    ['protocol', (registry) => Object.assign(registry, { protocol: withOverlay({ reissue: { feeLamports: 1 } }) })],
    ['dialect', (registry) => Object.assign(registry, { dialect: dialects.provenonce })],
    ['policy', (registry) => Object.assign(registry, { policy: { ...registry.policy, byoWallet: false } })],
    ['genesisMs', (registry) => Object.assign(registry, { genesisMs: 1 })],
  ];

  it.each(changes)('changes with %s', (_part, change) => {
    const [before, after] = [lived(), lived()];
    change(after);
    expect(fingerprint(after)).not.toBe(fingerprint(before));
  });

  it('leaves out nothing but what follows from the rest', () => {
    const derived = ['index', 'keySecret'];
    const covered = new Set<string>([...changes.map(([part]) => part), ...derived]);
    expect(Object.keys(testRegistry()).filter((part) => !covered.has(part))).toEqual([]);
  });

  it('tells -1 from 4,294,967,295 and one column from the next', () => {
    const [one, other] = [testRegistry(), testRegistry()];
    for (const registry of [one, other]) testAgent(registry, { wallet: false, sigil: null, init: false });
    one.agents.columns.totalBeats[0] = 5;
    other.agents.columns.availableBeats[0] = 5;
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });

  it('is the same for a new registry with the options of an empty one', () => {
    const { protocol, dialect, policy, genesisMs } = testRegistry();
    const made = () => fingerprint(createRegistry({ protocol, dialect, policy, genesisMs, seed: 3 }));
    expect(made()).toBe(made());
  });
});
