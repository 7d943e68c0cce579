import { beforeEach, describe, expect, it } from 'vitest';
import { errors } from '../../spec/errors.js';
import { golden } from '../../test/fixtures/golden.js';
import { codeOf, nowMsOf, passAnchors, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { type ReceiptClaim, receiptInForm, signReceipt } from '../beats/receipt.js';
import { signingKey } from '../beats/signing.js';
import { fingerprint } from './fingerprint.js';
import { penaltyBeats, type ResyncInput, resync } from './resync.js';
import { ACTIVE, FROZEN, type Registry } from './state.js';

const key = signingKey(Buffer.alloc(32, 3));
let registry: Registry;
let agent: number;

beforeEach(() => {
  registry = testRegistry({ policy: { workProofKeyHex: key.publicKeyHex } });
  agent = testAgent(registry);
});

const freeze = (missed: number) => passAnchors(registry, missed);
const statusOf = () => registry.agents.line.status(agent);
const ask = (input: Omit<ResyncInput, 'agent'>) => resync(registry, { agent, ...input }, nowMsOf(registry));

/** A receipt of the beats service for the penalty of 61 missed anchors, unless stated otherwise. */
function receipt(over: Partial<ReceiptClaim> = {}, signer = key) {
  const claim: ReceiptClaim = {
    type: 'work_proof',
    beats_verified: 6_100,
    difficulty: 1_000,
    anchor_index: registry.anchorIndex,
    anchor_hash: 'ab'.repeat(32),
    from_hash: '01'.repeat(32),
    to_hash: '02'.repeat(32),
    utc: '2026-01-01T00:00:00.000Z',
    ...over,
  };
  return signReceipt(claim, signer);
}

interface PenaltyCase {
  readonly name: string;
  readonly missed_anchors: number;
  readonly beats: number;
}

describe('the penalty (4.10)', () => {
  it.each([
    [61, 6_100],
    [99, 9_900],
    [100, 10_000],
    [101, 10_000],
    [100_000, 10_000],
  ])('for %i missed anchors is %i beats', (missed, beats) => {
    expect(penaltyBeats(registry, missed)).toBe(beats);
  });

  it.each(golden<PenaltyCase>('resync-penalties'))('golden: $name', (entry) => {
    expect(penaltyBeats(registry, entry.missed_anchors)).toBe(entry.beats);
  });
});

describe('a resync by receipt (4.10, D-09)', () => {
  it.each(['string', 'object'] as const)('takes a receipt as %s and makes the agent active again', (form) => {
    freeze(61);
    expect(ask({ receipt: receiptInForm(receipt(), form) })).toEqual({
      ok: true,
      gapAnchors: 61,
      requiredBeats: 6_100,
      beatsProven: 6_100,
      receiptBased: true,
    });
    expect(statusOf()).toBe(ACTIVE);
    expect(registry.agents.line.lastSyncAnchor(agent)).toBe(61);
    expect(registry.agents.columns.totalBeats[agent]).toBe(0);
  });

  it('counts the gap when the receipt arrives (D-35)', () => {
    freeze(61);
    const early = receipt();
    passAnchors(registry, 1);
    expect(codeOf(ask({ receipt: early }))).toBe('resync/INVALID_RECEIPT');
    expect(ask({ receipt: receipt({ beats_verified: 6_200 }) })).toMatchObject({ ok: true, gapAnchors: 62 });
  });

  const refusals: readonly (readonly [string, () => unknown])[] = [
    ['one beat too few', () => receipt({ beats_verified: 6_099 })],
    ['a difficulty under 100', () => receipt({ difficulty: 99 })],
    ['another key', () => receipt({}, signingKey(Buffer.alloc(32, 4)))],
    ['a changed field', () => ({ ...receipt({ beats_verified: 1 }), beats_verified: 6_100 })],
    ['an anchor to come', () => receipt({ anchor_index: registry.anchorIndex + 1 })],
    ['an anchor 61 back', () => receipt({ anchor_index: registry.anchorIndex - 61 })],
    ['no signature', () => ({ ...receipt(), signature: undefined })],
    ['no form', () => 'not a receipt'],
    ['the empty text', () => ''],
    ['an empty object', () => ({})],
    ['null', () => null],
  ];
  it.each(refusals)('with %s is 402 INVALID_RECEIPT and changes nothing', (_what, make) => {
    freeze(61);
    const given = make();
    const before = fingerprint(registry);
    expect(ask({ receipt: given })).toMatchObject({ ok: false, row: { status: 402, code: 'INVALID_RECEIPT' } });
    expect(fingerprint(registry)).toBe(before);
    expect(statusOf()).toBe(FROZEN);
  });

  it.each([
    ['an anchor 60 back', () => receipt({ anchor_index: registry.anchorIndex - 60 })],
    ['a difficulty of 100', () => receipt({ difficulty: 100 })],
    ['more beats than are owed', () => receipt({ beats_verified: 1_000_000 })],
  ])('with %s is taken', (_what, make) => {
    freeze(61);
    expect(codeOf(ask({ receipt: make() }))).toBe('accepted');
  });

  it('accepts a receipt once, whoever sends it again and in whatever form', () => {
    const other = testAgent(registry);
    freeze(61);
    const used = receipt();
    expect(codeOf(ask({ receipt: used }))).toBe('accepted');
    const again = { agent: other, receipt: receiptInForm(used, 'string') };
    expect(codeOf(resync(registry, again, nowMsOf(registry)))).toBe('resync/INVALID_RECEIPT');
    const newer = { agent: other, receipt: receipt({ utc: '2026-01-01T00:00:00.001Z', beats_verified: 10_000 }) };
    expect(codeOf(resync(registry, newer, nowMsOf(registry)))).toBe('resync/INVALID_RECEIPT');
    const fresh = { agent: other, receipt: receipt({ to_hash: '03'.repeat(32) }) };
    expect(codeOf(resync(registry, fresh, nowMsOf(registry)))).toBe('accepted');
  });

  it('a used receipt is remembered as long as it could be accepted', () => {
    freeze(61);
    const used = receipt({ beats_verified: 10_000 });
    expect(codeOf(ask({ receipt: used }))).toBe('accepted');
    passAnchors(registry, 60);
    expect(registry.usedReceipts.size).toBe(1);
    passAnchors(registry, 1);
    expect(statusOf()).toBe(FROZEN);
    expect(registry.usedReceipts.size).toBe(0);
    expect(ask({ receipt: used })).toMatchObject({ ok: false, detail: 'the receipt is 61 anchors old' });
  });
});

describe('without a receipt', () => {
  it('under BEATS_REQUIRED it is 402 RECEIPT_REQUIRED with what is owed (D-35)', () => {
    freeze(70);
    expect(ask({})).toMatchObject({
      ok: false,
      row: { status: 402, code: 'RECEIPT_REQUIRED' },
      fields: { required_beats: 7_000, gap_anchors: 70 },
    });
    expect(statusOf()).toBe(FROZEN);
  });

  it('otherwise it is free, and a bad receipt is still refused', () => {
    registry = testRegistry({ policy: { beatsRequired: false } });
    agent = testAgent(registry);
    freeze(61);
    expect(codeOf(ask({ receipt: 'bad' }))).toBe('resync/INVALID_RECEIPT');
    expect(ask({})).toEqual({ ok: true, gapAnchors: 61, requiredBeats: 6_100, beatsProven: 0, receiptBased: false });
    expect(statusOf()).toBe(ACTIVE);
  });

  it.each([
    [6_099, 'resync/INVALID_RECEIPT'],
    [6_100, 'accepted'],
    [Number.NaN, 'resync/INVALID_RECEIPT'],
  ])('simulated work of %d beats: %s', (simulatedBeats, outcome) => {
    freeze(61);
    expect(codeOf(ask({ simulatedBeats }))).toBe(outcome);
  });
});

describe('an agent that is not frozen (3.1)', () => {
  it.each([
    ['active', {}],
    ['whose chain has not started', { init: false }],
  ])('%s gets 409 AGENT_WRONG_STATE, whatever it shows', (_what, setUp) => {
    agent = testAgent(registry, setUp);
    const before = fingerprint(registry);
    for (const input of [{}, { receipt: receipt() }, { receipt: 'bad' }, { simulatedBeats: 10_000 }]) {
      expect(ask(input)).toMatchObject({ ok: false, row: { status: 409, code: 'AGENT_WRONG_STATE' } });
    }
    expect(fingerprint(registry)).toBe(before);
  });
});

it('refusals are in spec/errors in the order of the checks', () => {
  const outcomes = [codeOf(ask({}))];
  freeze(61);
  outcomes.push(codeOf(ask({})), codeOf(ask({ receipt: 'bad' })), codeOf(ask({ receipt: receipt() })));
  expect(outcomes).toEqual([
    'resync/AGENT_WRONG_STATE',
    'resync/RECEIPT_REQUIRED',
    'resync/INVALID_RECEIPT',
    'accepted',
  ]);
  expect(Object.keys(errors).filter((row) => outcomes.includes(row))).toEqual(outcomes.slice(0, 3));
});
