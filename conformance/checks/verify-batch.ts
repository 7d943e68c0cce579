/** Batches of verifications: their order, their results, and what is refused. */

import { badHashes, noBatches, sizes, verifyBatch } from '../moves/verify-batch.js';
import { judgeLimit } from '../steps/limit.js';

import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const nobody = (t: Trial): string => `0x${t.hex(t.protocol.agent.hashBytes)}`;

/** Hashes of agents that do not exist. */
const nobodies = (t: Trial, length: number): readonly string[] => Array.from({ length }, () => nobody(t));

const order: WrittenCheck = {
  id: 'verify-batch/order',
  shares: true,
  title:
    'A batch returns a result for each hash in order: existing, unknown, in either case, and twice for a duplicate',
  async run(t) {
    const [{ hash: one }, { hash: other }] = [await t.root({ init: true }), await t.root()];
    t.mustSucceed(await t.send(verifyBatch([nobody(t), one, nobody(t), other, nobody(t)])));
    t.mustSucceed(await t.send(verifyBatch([one, nobody(t), one])));
    await t.send(verifyBatch([`0x${one.slice(2).toUpperCase()}`]));
  },
};

/** Batches with one fault each, in groups that the limit of a minute admits. */
const faulty = {
  empty: {
    title: 'A batch without hashes, or without a list, is refused, and one of a single hash is accepted',
    batches: (t: Trial) => Object.values(noBatches).map((batch): unknown => batch(nobody(t))),
  },
  'bad-hash': {
    title: 'A batch with a bad hash, alone or after good ones, is refused, and one of a single hash is accepted',
    batches: (t: Trial) => {
      const hash = nobody(t);
      const bad = Object.values(badHashes).map((change): unknown => change(hash));
      const after = nobodies(t, t.protocol.verifyBatch.hashesMax - 1);
      return bad.map((one, nth) => (nth === bad.length - 1 ? [...after, one] : [one]));
    },
  },
} as const;

const refused = Object.entries(faulty).map(
  ([word, { title, batches }]): WrittenCheck => ({
    id: `verify-batch/${word}`,
    title,
    async run(t) {
      for (const hashes of batches(t)) await t.send(verifyBatch(hashes));
      t.mustSucceed(await t.send(verifyBatch(nobodies(t, t.protocol.verifyBatch.hashesMin))));
    },
  }),
);

const size: WrittenCheck = {
  id: 'verify-batch/size',
  title: 'A batch of 50 hashes is answered, a larger one refused',
  shares: true,
  async run(t) {
    const { hash } = await t.root();
    const hashes = [...nobodies(t, sizes(t.protocol).fifty), hash];
    await t.send(verifyBatch(hashes));
    // A batch of the same size with duplicates.
    await t.send(verifyBatch(Array(hashes.length).fill(hash)));
    t.mustSucceed(await t.send(verifyBatch(hashes.slice(1))));
  },
};

const limit: WrittenCheck = {
  id: 'verify-batch/limit',
  title: 'The 11th batch from an address in a minute is refused',
  needs: ['clock', 'client-ip'],
  waits: windowOf('verifyBatch'),
  async run(t) {
    const elsewhere = t.newAddress();
    const one = (address?: string) => t.send(verifyBatch([nobody(t)]), { mayLimit: true, address });
    await judgeLimit(t, {
      limit: 'verifyBatch',
      clause: 'limit.verify-batch',
      bucket: 'auth.rate-bucket.ip',
      send: () => one(),
      other: () => one(elsewhere),
    });
  },
};

export const verifyBatchChecks: readonly WrittenCheck[] = [order, ...refused, size, limit];
