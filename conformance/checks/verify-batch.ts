import type { ErrorKey } from '../../spec/errors.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

const base = { needs: [], registers: 0, requests: 4, writes: false } as const;

const send = (t: Trial, hashes: unknown): Promise<Reply> => t.call('verify-batch', { body: { hashes } });

const nobody = (t: Trial): string => `0x${t.hex(t.protocol.agent.hashBytes)}`;

const order: Check = {
  ...base,
  id: 'verify-batch/order',
  shares: true,
  title: 'A batch is answered in its order, for agents that exist and for others',
  clauses: [
    'verify-batch.route',
    'auth.public.verify-batch',
    'verify-batch.body.hashes',
    'verify-batch.reply.results',
    'verify-batch.reply.order',
    'verify-batch.reply.summary',
    'verify-batch.reply.found',
    'verify-batch.reply.passport',
    'verify-batch.reply.network',
    'verify-batch.reply.lineage',
    'verify-batch.reply.missing',
  ],
  registers: 2,
  writes: true,
  requests: 6,
  async run(t) {
    const [one, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const hashes = [nobody(t), one.hash, nobody(t), other.hash];
    const reply = t.accepted(await send(t, hashes));
    const results = reply.get('results');
    t.equal('the number of results', Array.isArray(results) ? results.length : results, hashes.length);
    for (const [place, hash] of hashes.entries()) {
      const known = hash === one.hash || hash === other.hash;
      const verified = reply.get(`results.${place}.verified`);
      t.about(['verify-batch.reply.order', 'verify-batch.reply.found', 'verify-batch.reply.missing'], () =>
        t.equal(`results.${place}.verified`, verified, known),
      );
      if (known) t.shown(reply, `results.${place}.agent.hash`, hash, 'D-20');
      else t.equal(`results.${place}.hash`, reply.get(`results.${place}.hash`), hash);
    }
    t.fields(reply, 'summary', { total: 4, verified: 2, not_found: 2 });
  },
};

const same: Check = {
  ...base,
  id: 'verify-batch/as-verify',
  shares: true,
  title: 'A result of a batch is what verify says of the agent, but for lineage_depth',
  clauses: ['verify.reply'],
  registers: 1,
  writes: true,
  requests: 5,
  async run(t) {
    const agent = await t.root({ init: true });
    // First the one that is limited more narrowly, so that no wait comes between them.
    const batch = t.accepted(await send(t, [agent.hash]));
    const alone = await look(t, 'verify', agent.hash);
    const { lineage_depth: _, ...rest } = Object(alone.json) as Record<string, unknown>;
    t.equal('results.0', batch.get('results.0'), rest);
  },
};

const unstarted: Check = {
  ...base,
  id: 'verify-batch/unstarted',
  shares: true,
  title: 'An agent whose chain has not started has no beat_state and stands as registered',
  clauses: ['agent.unstarted.beat-state', 'agent.unstarted.standing'],
  registers: 1,
  writes: true,
  async run(t) {
    const reply = t.accepted(await send(t, [(await t.root()).hash]));
    t.equal('results.0.beat_state', reply.get('results.0.beat_state'), null);
    t.equal('results.0.standing', reply.get('results.0.standing'), 'registered');
  },
};

const repeated: Check = {
  ...base,
  id: 'verify-batch/repeat',
  shares: true,
  title: 'A hash that a batch names twice has its result twice',
  clauses: ['verify-batch.repeat'],
  registers: 1,
  writes: true,
  async run(t) {
    const { hash } = await t.root();
    const reply = t.accepted(await send(t, [hash, hash]));
    t.equal('results.1', reply.get('results.1'), reply.get('results.0'));
    t.fields(reply, 'summary', { total: 2, verified: 2, not_found: 0 });
  },
};

const letters: Check = {
  ...base,
  id: 'verify-batch/case',
  shares: true,
  title: 'A batch finds an agent by its hash in either case',
  clauses: ['verify-batch.case'],
  registers: 1,
  writes: true,
  async run(t) {
    const { hash } = await t.root();
    const reply = t.accepted(await send(t, [`0x${hash.slice(2).toUpperCase()}`]));
    t.equal('results.0.verified', reply.get('results.0.verified'), true);
    t.equal('results.0.agent.hash', reply.get('results.0.agent.hash'), hash);
  },
};

/** One fault of a batch; the twin is a batch of one hash. */
const faults: readonly (readonly [word: string, title: string, key: ErrorKey, hashes: (t: Trial) => unknown])[] = [
  ['empty', 'An empty batch is refused', 'verify-batch/INVALID_INPUT', () => []],
  ['missing', 'A batch without hashes is refused', 'verify-batch/INVALID_INPUT', () => undefined],
  ['short', 'A hash that is a digit short is refused', 'verify-batch/INVALID_HASH', (t) => [nobody(t).slice(0, -1)]],
  ['bare', 'A hash without 0x is refused', 'verify-batch/INVALID_HASH', (t) => [nobody(t).slice(2)]],
  ['not-hex', 'A hash that is not hex is refused', 'verify-batch/INVALID_HASH', (t) => [`${nobody(t).slice(0, -1)}g`]],
  ['beside', 'A bad hash beside a good one is refused', 'verify-batch/INVALID_HASH', (t) => [nobody(t), 'no hash']],
];

const clausesOf = {
  INVALID_INPUT: ['verify-batch.error.invalid-input', 'constant.verify-batch-min', 'verify-batch.body.hashes'],
  INVALID_HASH: ['verify-batch.error.invalid-hash', 'convention.agent-hash', 'verify-batch.body.hashes'],
};

const faulty = faults.map(
  ([word, title, key, hashes]): Check => ({
    ...base,
    id: `verify-batch/${word}`,
    title,
    clauses: clausesOf[key.endsWith('INPUT') ? 'INVALID_INPUT' : 'INVALID_HASH'],
    refusal: true,
    async run(t) {
      t.refused(await send(t, hashes(t)), key);
      const least = Array.from({ length: t.protocol.verifyBatch.hashesMin }, () => nobody(t));
      t.accepted(await send(t, least));
    },
  }),
);

const size: Check = {
  ...base,
  id: 'verify-batch/size',
  title: 'A batch of 50 hashes is answered, a larger one refused',
  clauses: ['verify-batch.error.batch-too-large', 'constant.verify-batch-max', 'verify-batch.body.hashes'],
  refusal: true,
  async run(t) {
    const { hashesMax } = t.protocol.verifyBatch;
    const hashes = Array.from({ length: hashesMax + 1 }, () => nobody(t));
    t.refused(await send(t, hashes), 'verify-batch/BATCH_TOO_LARGE');
    const reply = t.accepted(await send(t, hashes.slice(1)));
    t.equal('summary.total', reply.get('summary.total'), hashesMax);
    t.equal('summary.not_found', reply.get('summary.not_found'), hashesMax);
  },
};

const limit: Check = {
  ...base,
  id: 'verify-batch/limit',
  title: 'An address sends 10 batches a minute',
  clauses: ['limit.verify-batch', 'auth.rate-bucket.ip', 'limit.window', 'limit.refused-count'],
  needs: ['clock', 'client-ip'],
  requests: 17,
  refusal: true,
  waits: windowOf('verifyBatch'),
  async run(t) {
    const elsewhere = t.newAddress();
    const one = (address?: string) =>
      t.call('verify-batch', { body: { hashes: [nobody(t)] }, mayLimit: true, address });
    await judgeLimit(t, { limit: 'verifyBatch', send: () => one(), other: () => one(elsewhere) });
  },
};

export const verifyBatchChecks: readonly Check[] = [order, same, unstarted, repeated, letters, ...faulty, size, limit];
