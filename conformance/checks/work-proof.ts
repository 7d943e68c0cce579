import type { Reply } from '../assertions/reply.js';
import { type Chain, computeChain, proofOf, type WorkProof } from '../protocol/beats.js';
import { canonicalJson } from '../protocol/canonical.js';
import { verifiesBase64 } from '../protocol/wallet.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import { payloadOf, prove, receiptFor } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { lookupLimit } from './lookup.js';

const base = { needs: ['beats'], registers: 0, writes: true } as const;

/** A chain of the check's own over the latest anchor. */
export async function chainOf(
  t: Trial,
  beats: number,
  difficulty = t.protocol.work.difficultyMin,
  fromIndex = 0,
): Promise<Chain> {
  return computeChain(t.hex(32), beats, await latestAnchor(t), { difficulty, fromIndex });
}

const valid: Check = {
  ...base,
  id: 'work-proof/valid',
  title: 'A good work proof earns a receipt',
  clauses: [
    'work-proof.route',
    'work-proof.body',
    'work-proof.reply',
    'work-proof.reply.receipt',
    'work-proof.reply.valid',
    'work-proof.field.from-hash',
    'work-proof.field.to-hash',
    'work-proof.field.beats-computed',
    'work-proof.field.difficulty',
    'work-proof.field.anchor-hash',
    'work-proof.field.anchor-index',
    'work-proof.field.spot-checks',
    'service.beats-service',
    'service.beats.proven',
    'beat.step',
    'beat.seed',
    'beat.seed.nonce',
    'beat.seed.anchor',
    'beat.hash',
    'proof.anchor.every-beat',
  ],
  requests: 2,
  async run(t) {
    const reply = t.accepted(await prove(t, proofOf(await chainOf(t, 8, t.protocol.beat.difficulty))));
    t.equal('ok', reply.get('ok'), true);
    t.decided('D-08', () => t.equal('valid', reply.get('valid'), true));
  },
};

const receipt: Check = {
  ...base,
  id: 'work-proof/receipt',
  title: 'A receipt tells what was proved, signed with the published work-proof key',
  clauses: ['receipt.payload', 'receipt.signature', 'receipt.string', 'dialect.receipt-form', 'beat-key.reply'],
  requests: 3,
  async run(t) {
    const proof = proofOf(await chainOf(t, 8));
    const made = await receiptFor(t, proof);
    t.equal('type of the receipt', typeof made, t.facts.dialect.receiptForm);
    const payload = payloadOf(made);
    t.that('the receipt', payload !== undefined, 'base64url of a JSON object', String(made));
    if (payload === undefined) return;
    const { signature, ...rest } = payload;
    const { from_hash, to_hash, difficulty, anchor_hash, anchor_index, beats_computed } = proof;
    const told = { from_hash, to_hash, difficulty, anchor_hash, anchor_index, type: 'work_proof' };
    for (const [field, value] of Object.entries({ ...told, beats_verified: beats_computed })) {
      t.equal(`${field} of the receipt`, rest[field], value);
    }
    const key = t.accepted(await t.call('beat-key')).string('keys.work_proof.public_key_hex');
    const holds = verifiesBase64(String(signature), canonicalJson(rest), key);
    t.that('the signature of the receipt', holds, 'one of the work-proof key', 'another');
  },
};

const flat: Check = {
  ...base,
  id: 'work-proof/flat',
  title: 'A work proof may be the body itself, and may start at any index',
  clauses: ['work-proof.body.flat', 'work-proof.chain-start'],
  requests: 4,
  async run(t) {
    const flatReply = await t.call('work-proof.post', { body: proofOf(await chainOf(t, 4)) });
    t.equal('ok', t.accepted(flatReply).get('ok'), true);
    const later = await prove(t, proofOf(await chainOf(t, 4, t.protocol.work.difficultyMin, 1_000_000)));
    t.equal('ok', t.accepted(later).get('ok'), true);
  },
};

const few: Check = {
  ...base,
  id: 'work-proof/two-beats',
  title: 'A proof of 2 beats needs no more than 2 spot checks',
  clauses: ['proof.spot-checks.min'],
  requests: 2,
  async run(t) {
    t.equal('ok', t.accepted(await prove(t, proofOf(await chainOf(t, 2)))).get('ok'), true);
  },
};

const malformed = (
  [
    ['no-proof', () => ({})],
    ['no-spot-checks', ({ spot_checks: _, ...rest }: WorkProof) => ({ work_proof: rest })],
    ['count-text', (proof: WorkProof) => ({ work_proof: { ...proof, beats_computed: 'eight' } })],
    ['hash-malformed', (proof: WorkProof) => ({ work_proof: { ...proof, from_hash: 'no hash' } })],
  ] as const
).map(
  ([word, body]): Check => ({
    ...base,
    id: `work-proof/malformed-${word}`,
    title: `A malformed work-proof body is refused: ${word.replace('-', ' ')}`,
    clauses: ['work-proof.malformed'],
    requests: 3,
    refusal: true,
    async run(t) {
      const proof = proofOf(await chainOf(t, 4));
      t.refused(await t.call('work-proof.post', { body: body(proof) }), 'work-proof/VALIDATION');
      t.accepted(await prove(t, proof));
    },
  }),
);

const info: Check = {
  ...base,
  id: 'work-proof/info',
  title: 'GET work-proof tells what a proof must hold',
  clauses: ['work-proof.route.get', 'work-proof.difficulty.min', 'work-proof.difficulty.max'],
  requests: 1,
  writes: false,
  async run(t) {
    t.accepted(await t.call('work-proof.get'));
  },
};

const limit: Check = {
  ...base,
  id: 'work-proof/limit',
  title: 'An address sends 10 work proofs a minute',
  clauses: ['limit.work-proof', 'limit.window', 'limit.retry-after', 'limit.retry-after-ms'],
  needs: ['beats', 'clock', 'client-ip'],
  requests: 17,
  refusal: true,
  quiet: true,
  waits: windowOf('workProof'),
  async run(t) {
    const other = t.newAddress();
    const send = (address?: string): Promise<Reply> => prove(t, {}, { mayLimit: true, address });
    await judgeLimit(t, {
      limit: 'workProof',
      send: () => send(),
      other: other === undefined ? undefined : () => send(other),
    });
  },
};

const forwarded: Check = {
  ...base,
  id: 'work-proof/limit-forwarded',
  title: 'The client is the first address of X-Forwarded-For',
  clauses: ['limit.client-ip.forwarded'],
  needs: ['beats', 'clock', 'client-ip'],
  requests: 13,
  refusal: true,
  async run(t) {
    const [client, proxy] = [t.newAddress(), t.newAddress()];
    const send = (address: string): Promise<Reply> => prove(t, {}, { mayLimit: true, address });
    const { count } = t.protocol.limits.workProof;
    await Promise.all(Array.from({ length: count }, () => send(`${client}, ${proxy}`)));
    t.refused(await send(`${client}`), 'any/RATE_LIMITED');
    const other = await send(`${proxy}, ${client}`);
    t.that('a request of the proxy itself', other.status !== 429, 'not rate limited', `${other.status}`);
  },
};

export const workProofChecks: readonly Check[] = [
  valid,
  receipt,
  flat,
  few,
  ...malformed,
  info,
  limit,
  forwarded,
  lookupLimit('work-proof.get', 'limit.work-proof.get', 'work-proof/limit-info'),
];
