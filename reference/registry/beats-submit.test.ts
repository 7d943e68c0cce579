import { beforeEach, describe, expect, it } from 'vitest';
import type { BeatProof } from '../../spec/endpoints/proof-schemas.js';
import { anchorsTo, codeOfOutcome, GENESIS_MS, testRegistry, walletRoot } from '../../test/fixtures/registry.js';
import { computeChain } from '../beats/beat.js';
import { latestHash } from './beat-status.js';
import { beatsSubmit } from './beats-submit.js';
import { fingerprint } from './fingerprint.js';
import { registerRoot } from './register.js';
import { resyncChallenge, resyncProve } from './resync-challenge.js';
import type { Registry } from './state.js';

const ANCHOR = 'aa'.repeat(32);
// Penalties of thousands of beats are computed here, so the difficulty is one hash.
const cheap = { beat: { difficulty: 1 }, work: { difficultyMin: 1, receiptDifficultyMin: 1 } };

let registry: Registry;
let agent: number;
beforeEach(() => {
  registry = testRegistry({ overlay: cheap });
  ({ agent } = walletRoot(registry, 'worker'));
});

function proofOf(beats: number, change: Partial<BeatProof> = {}): BeatProof {
  const fromBeat = registry.agents.columns.latestBeat[agent] as number;
  const fromHash = latestHash(registry, agent);
  const every = Math.max(1, Math.ceil(beats / 5));
  const run = computeChain({
    fromHash,
    fromIndex: fromBeat,
    beats,
    difficulty: 1,
    anchorHash: ANCHOR,
    keep: { every },
  });
  return {
    from_beat: fromBeat,
    to_beat: run.toIndex,
    from_hash: fromHash,
    to_hash: run.toHash,
    beats_computed: beats,
    global_anchor: 0,
    anchor_hash: ANCHOR,
    spot_checks: run.spotChecks,
    ...change,
  };
}

const submit = (proof: BeatProof, anchorHash: string | undefined = ANCHOR) =>
  beatsSubmit(registry, { agent, proof, anchorHash });

describe('beats/submit', () => {
  it('credits beats and moves the chain on, twice', () => {
    expect(submit(proofOf(20))).toEqual({ ok: true, beatsAccepted: 20, spotChecksVerified: 5 });
    const second = proofOf(5);
    expect(second.from_beat).toBe(20);
    expect(codeOfOutcome(submit(second))).toBe('ok');
    const { totalBeats, availableBeats, latestBeat } = registry.agents.columns;
    expect([totalBeats[agent], availableBeats[agent], latestBeat[agent]]).toEqual([25, 25, 25]);
    expect(latestHash(registry, agent)).toBe(second.to_hash);
  });

  it('takes 10,000 beats at a time and not one more', () => {
    expect(codeOfOutcome(submit(proofOf(10_001)))).toBe('PROOF_INVALID');
    expect(codeOfOutcome(submit(proofOf(10_000)))).toBe('ok');
  });

  it.each<[string, () => BeatProof, string]>([
    ['from another beat', () => proofOf(5, { from_beat: 1 }), 'CHAIN_MISMATCH'],
    ['from another hash', () => proofOf(5, { from_hash: 'bb'.repeat(32) }), 'CHAIN_MISMATCH'],
    ['of a wrong count', () => proofOf(5, { beats_computed: 4 }), 'PROOF_INVALID'],
    ['to another hash', () => proofOf(5, { to_hash: 'bb'.repeat(32) }), 'PROOF_INVALID'],
    ['of another anchor', () => proofOf(5, { anchor_hash: 'bb'.repeat(32) }), 'PROOF_INVALID'],
    [
      'without its end among the checks',
      () => proofOf(5, { spot_checks: proofOf(5).spot_checks.slice(0, -1) }),
      'PROOF_INVALID',
    ],
  ])('refuses a proof %s, and changes nothing', (_name, make, code) => {
    const proof = make();
    const before = fingerprint(registry);
    expect(codeOfOutcome(submit(proof))).toBe(code);
    expect(fingerprint(registry)).toBe(before);
  });

  it('refuses a proof whose anchor is none of the latest', () => {
    expect(codeOfOutcome(beatsSubmit(registry, { agent, proof: proofOf(5), anchorHash: undefined }))).toBe(
      'PROOF_INVALID',
    );
  });

  it('refuses the same proof again, an agent without a chain, and a frozen one', () => {
    const proof = proofOf(5);
    expect([codeOfOutcome(submit(proof)), codeOfOutcome(submit(proof))]).toEqual(['ok', 'CHAIN_MISMATCH']);
    const bare = registerRoot(registry, { name: 'bare' }, GENESIS_MS).agent;
    expect(codeOfOutcome(beatsSubmit(registry, { agent: bare, proof, anchorHash: ANCHOR }))).toBe(
      'AGENT_NOT_INITIALIZED',
    );
    registry.agents.line.setStatus(agent, 2);
    expect(codeOfOutcome(submit(proofOf(5)))).toBe('AGENT_FROZEN');
  });
});

describe('resync by challenge', () => {
  function frozen(anchors = 61) {
    const nowMs = anchorsTo(registry, anchors);
    const made = resyncChallenge(registry, { agent }, nowMs);
    if (!made.ok) throw new Error(made.row.code);
    const prove = (proof: BeatProof, atMs = nowMs, nonce = made.nonce, by = agent) =>
      codeOfOutcome(resyncProve(registry, { agent: by, nonce, proof, anchorHash: ANCHOR }, atMs));
    return { made, nowMs, prove };
  }

  it('asks for 100 beats for each missed anchor, at most 10,000, from the latest beat on', () => {
    submit(proofOf(7));
    const { made } = frozen();
    expect(made).toMatchObject({ requiredBeats: 6_100, startFromBeat: 7, gapBeats: 61, syncToGlobal: 61 });
    expect(made.nonce).toMatch(/^[0-9a-f]{64}$/);
    expect(made.startFromHash).toBe(latestHash(registry, agent));
    anchorsTo(registry, 150);
    expect(resyncChallenge(registry, { agent }, registry.anchorAtMs)).toMatchObject({ requiredBeats: 10_000 });
  });

  it('is for frozen agents alone', () => {
    expect(codeOfOutcome(resyncChallenge(registry, { agent }, GENESIS_MS))).toBe('AGENT_WRONG_STATE');
  });

  it('reactivates, extends the chain and leaves what may be spent on children as it is (D-42)', () => {
    submit(proofOf(7));
    const { prove } = frozen();
    expect(prove(proofOf(6_100))).toBe('ok');
    const { columns, line } = registry.agents;
    const { totalBeats, availableBeats, latestBeat } = columns;
    expect([line.status(agent), line.lastSyncAnchor(agent)]).toEqual([1, 61]);
    expect([totalBeats[agent], latestBeat[agent], availableBeats[agent]]).toEqual([6_107, 6_107, 7]);
    expect(prove(proofOf(6_100))).toBe('AGENT_WRONG_STATE');
  });

  it('keeps the penalty of the moment of the challenge', () => {
    const { prove } = frozen();
    const nowMs = anchorsTo(registry, 65);
    expect(prove(proofOf(6_100), nowMs)).toBe('ok');
  });

  it('takes the nonce through its 300 seconds, by its own agent, once', () => {
    const { prove, nowMs } = frozen();
    const proof = proofOf(6_100);
    expect(prove(proof, nowMs + 300_001)).toBe('VALIDATION');
    expect(prove(proof, nowMs, 'cd'.repeat(32))).toBe('VALIDATION');
    const other = walletRoot(registry, 'other').agent;
    registry.agents.line.setStatus(other, 2);
    expect(codeOfOutcome(resyncProve(registry, { agent: other, nonce: 'x', proof, anchorHash: ANCHOR }, nowMs))).toBe(
      'VALIDATION',
    );
    expect(prove(proof, nowMs + 300_000)).toBe('ok');
    registry.agents.line.setStatus(agent, 2);
    expect(prove(proofOf(6_100), nowMs + 300_000)).toBe('VALIDATION');
  });

  it.each<[string, () => BeatProof]>([
    ['a beat too short', () => proofOf(6_099)],
    ['from another beat', () => proofOf(6_100, { from_beat: 3 })],
    ['that does not hold', () => proofOf(6_100, { to_hash: 'bb'.repeat(32) })],
  ])('refuses a proof %s, and keeps the nonce', (_name, make) => {
    const { prove } = frozen();
    expect(prove(make())).toBe('VALIDATION');
    expect(prove(proofOf(6_100))).toBe('ok');
  });
});
