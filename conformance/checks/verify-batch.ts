/** Batches of verifications: their order, their results, and what is refused. */

import { judgeLimit } from '../steps/limit.js';
import { buy, purchase } from '../steps/paid.js';
import { send } from '../steps/verify-batch-call.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const nobody = (t: Trial): string => `0x${t.hex(t.protocol.agent.hashBytes)}`;

/** The hashes of a number of agents that do not exist. */
const nobodies = (t: Trial, length: number): readonly string[] => Array.from({ length }, () => nobody(t));

const order: WrittenCheck = {
  id: 'verify-batch/order',
  shares: true,
  title:
    'A batch is answered in its order, for agents that exist and for others, in either case, and twice for one named twice',
  async run(t) {
    const [{ hash: one }, { hash: other }] = [await t.root({ init: true }), await t.root()];
    t.accepted(await send(t, [nobody(t), one, nobody(t), other, nobody(t)]));
    t.accepted(await send(t, [one, nobody(t), one]));
    await send(t, [`0x${one.slice(2).toUpperCase()}`]);
  },
};

const later: WrittenCheck = {
  id: 'verify-batch/later',
  title: 'A batch that was sent before shows the anchor that was issued since, and the SIGIL that was bought',
  needs: ['clock', 'payments'],
  waits: () => ({ anchors: 1 }),
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    t.accepted(await send(t, [agent.hash]));
    t.accepted(await buy(t, agent, purchase(t, { name: t.word() })));
    await t.sleep({ anchors: 1 });
    t.accepted(await t.call('beat-anchor'));
    t.accepted(await send(t, [agent.hash]));
  },
};

/** Batches with one fault each, in lists that the limit of a minute lets through. */
const faulty = {
  empty: {
    title: 'A batch without hashes, or without a list, is refused, and one of a single hash is accepted',
    batches: (t: Trial) => [[], undefined, nobody(t), 7, { 0: nobody(t), length: 1 }],
  },
  'bad-hash': {
    title: 'A batch with a bad hash, alone or after good ones, is refused, and one of a single hash is accepted',
    batches: (t: Trial) => {
      const hash = nobody(t);
      const bad = [hash.slice(0, -1), `${hash}00`, hash.slice(2), `${hash.slice(0, -1)}g`, 7];
      return [...bad.map((one) => [one]), [...nobodies(t, t.protocol.verifyBatch.hashesMax - 1), 'no hash']];
    },
  },
} as const;

const refused = Object.entries(faulty).map(
  ([word, { title, batches }]): WrittenCheck => ({
    id: `verify-batch/${word}`,
    title,
    async run(t) {
      for (const hashes of batches(t)) await send(t, hashes);
      t.accepted(await send(t, nobodies(t, t.protocol.verifyBatch.hashesMin)));
    },
  }),
);

const size: WrittenCheck = {
  id: 'verify-batch/size',
  title: 'A batch of 50 hashes is answered, a larger one refused',
  shares: true,
  async run(t) {
    const { hash } = await t.root();
    const { hashesMax } = t.protocol.verifyBatch;
    const hashes = [...nobodies(t, hashesMax), hash];
    await send(t, hashes);
    // As many items, whichever they are.
    await send(
      t,
      hashes.map(() => hash),
    );
    t.accepted(await send(t, hashes.slice(1)));
  },
};

const limit: WrittenCheck = {
  id: 'verify-batch/limit',
  title: 'An address sends 10 batches a minute',
  needs: ['clock', 'client-ip'],
  waits: windowOf('verifyBatch'),
  async run(t) {
    const elsewhere = t.newAddress();
    const one = (address?: string) =>
      t.call('verify-batch', { body: { hashes: [nobody(t)] }, mayLimit: true, address });
    await judgeLimit(t, {
      limit: 'verifyBatch',
      clause: 'limit.verify-batch',
      bucket: 'auth.rate-bucket.ip',
      send: () => one(),
      other: () => one(elsewhere),
    });
  },
};

export const verifyBatchChecks: readonly WrittenCheck[] = [order, later, ...refused, size, limit];
