/** Batches of verifications: their order, their results, and what is refused. */

import { anchorOf } from '../../model/reading/anchor.js';
import { sameMeaning } from '../../model/reading/compare.js';
import { at as fieldOf } from '../../model/reading/values.js';
import type { ErrorKey } from '../../spec/errors.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit } from '../steps/limit.js';
import { buy, purchase } from '../steps/paid.js';
import { foundInBatch, send } from '../steps/verify-batch-call.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

const base = { needs: [], registers: 0, requests: 4, writes: false } as const;

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
  requests: 8,
  async run(t) {
    const [one, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const hashes = [nobody(t), one.hash, nobody(t), other.hash, nobody(t)];
    const clauses = ['verify-batch.body.hashes', 'auth.public.verify-batch'];
    const indexNow = async (): Promise<number | undefined> => anchorOf(t.accepted(await t.call('beat-anchor'))).index;
    const before = await indexNow();
    const reply = t.accepted(await send(t, hashes), ...clauses);
    const after = await indexNow();
    const results = reply.get('results');
    const count = Array.isArray(results) ? results.length : undefined;
    t.shows('verify-batch.reply.results', 'verify-batch.reply.order').of(
      reply,
      'results of five hashes',
      count === 5,
      '5',
      count,
    );
    const known = [one.hash, other.hash];
    for (const [place, hash] of hashes.entries()) {
      const at = `results.${place}`;
      const found = known.includes(hash);
      const shown = sameMeaning(reply.get(`${at}.verified`), found);
      const which = found ? 'verify-batch.reply.found' : 'verify-batch.reply.missing';
      t.shows('verify-batch.reply.order', which).of(
        reply,
        `verified of ${found ? 'an agent' : 'nobody'}`,
        shown,
        `${found}`,
        reply.get(`${at}.verified`),
      );
      if (!shown) continue;
      if (found) {
        const own = reply.get(`${at}.agent.hash`);
        if (own === undefined) t.shows('verify-batch.reply.order').notFollowed('D-20', 'agent.hash is not there');
        else t.shows('verify-batch.reply.order').of(reply, 'hash of a result', sameMeaning(own, hash), 'its own', own);
        foundIs(t, reply, at, { before, after });
      } else {
        const own = reply.get(`${at}.hash`);
        t.shows('verify-batch.reply.order', 'verify-batch.reply.missing').of(
          reply,
          'hash of a missing result',
          sameMeaning(own, hash),
          'its own',
          own,
        );
        const error = reply.get(`${at}.error`);
        t.shows('verify-batch.reply.missing').of(
          reply,
          'error of a missing result',
          typeof error === 'string',
          'a string',
          error,
        );
      }
    }
    for (const [field, value] of [
      ['total', 5],
      ['verified', 2],
      ['not_found', 3],
    ] as const) {
      t.shows('verify-batch.reply.summary').field(reply, `summary.${field}`, value);
    }
  },
};

/**
 * The index of the latest anchor, as a result shows it between two looks at the anchor lookup. Where it shows a later one than
 * the lookup does after it, one of the two is wrong.
 */
export function anchorIs(
  t: Trial,
  reply: Reply,
  path: string,
  { before, after }: { readonly before: number; readonly after: number },
): void {
  const index = reply.get(path);
  const isLater = typeof index === 'number' && index > after;
  const whose = isLater ? ['verify-batch.reply.network', 'beat-anchor.purpose'] : ['verify-batch.reply.network'];
  const current = typeof index === 'number' && index >= before && index <= after;
  t.alsoShows(...whose).of(reply, 'current_anchor_index', current, 'the index of the latest anchor', index);
}

/** 4.14: the fields of a found agent's result; what most of them hold is not shown. */
function foundIs(
  t: Trial,
  reply: Reply,
  at: string,
  anchors: { readonly before: number | undefined; readonly after: number | undefined },
): void {
  const has = (field: string): boolean => reply.get(`${at}.${field}`) !== undefined;
  for (const field of ['standing', 'agent', 'sigil', 'passport', 'beat_state', 'network', 'lineage', 'root']) {
    t.shows('verify-batch.reply.found').of(reply, `${field} of a found result`, has(field), 'there', 'not there');
  }
  const passport = reply.get(`${at}.passport`);
  const signature = fieldOf(passport, t.facts.dialect.passportSignatureField);
  const signed = typeof passport === 'object' && typeof signature === 'string' && signature !== '';
  t.shows('verify-batch.reply.passport').of(
    reply,
    'passport of a found result',
    passport === null || signed,
    'a signed passport or null',
    passport,
  );
  const network = t.shows('verify-batch.reply.network');
  const index = reply.get(`${at}.network.current_anchor_index`);
  const { before, after } = anchors;
  if (before === undefined || after === undefined) {
    network.of(reply, 'current_anchor_index', index === null || typeof index === 'number', 'a number', index);
  } else {
    anchorIs(t, reply, `${at}.network.current_anchor_index`, { before, after });
  }
  const degraded = reply.get(`${at}.network.anchor_degraded`);
  network.of(reply, 'anchor_degraded', typeof degraded === 'boolean', 'a boolean', degraded);
  const lineage = reply.get(`${at}.lineage`);
  t.shows('verify-batch.reply.lineage').of(
    reply,
    'lineage of a found result',
    Array.isArray(lineage),
    'an array',
    lineage,
  );
}

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
    t.shows('verify.reply').field(batch, 'results.0', rest);
  },
};

const later: Check = {
  ...base,
  id: 'verify-batch/later',
  title: 'A batch that was sent before shows the anchor that was issued since, and the SIGIL that was bought',
  clauses: ['verify-batch.reply.network', 'verify-batch.reply.found'],
  needs: ['clock', 'payments'],
  walletRegisters: 2,
  writes: true,
  requests: 16,
  lamports: ({ sigil }) => sigil.narrowTaskFeeLamports,
  waits: () => ({ anchors: 1 }),
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    t.accepted(await send(t, [agent.hash]));
    const bought = t.accepted(await buy(t, agent, purchase(t, { name: t.word() })));
    await t.sleep({ anchors: 1 });
    const indexNow = async (): Promise<number | undefined> => anchorOf(t.accepted(await t.call('beat-anchor'))).index;
    const before = t.need(await indexNow(), 'the index of the latest anchor');
    const reply = await foundInBatch(t, agent.hash, bought.string('sigil.sigil_name'));
    const after = t.need(await indexNow(), 'the index of the latest anchor');
    anchorIs(t, reply, 'results.0.network.current_anchor_index', { before, after });
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
    t.shows('agent.unstarted.beat-state').field(reply, 'results.0.beat_state', null);
    t.shows('agent.unstarted.standing').field(reply, 'results.0.standing', 'registered');
  },
};

const repeated: Check = {
  ...base,
  id: 'verify-batch/repeat',
  shares: true,
  title: 'A hash that a batch names twice has its result twice',
  clauses: ['verify-batch.repeat', 'verify-batch.reply.order', 'verify-batch.reply.summary'],
  registers: 1,
  writes: true,
  async run(t) {
    const { hash } = await t.root();
    const unknown = `0x${t.hex(t.protocol.agent.hashBytes)}`;
    const reply = t.accepted(await send(t, [hash, unknown, hash]));
    // The same order as that of the hashes: the third result is that of the third hash.
    t.shows('verify-batch.reply.order').field(reply, 'results.2.verified', true);
    t.shows('verify-batch.repeat').field(reply, 'results.2', reply.get('results.0'));
    t.shows('verify-batch.repeat').field(reply, 'summary.total', 3);
    t.shows('verify-batch.repeat').field(reply, 'summary.verified', 2);
    // However often a hash has its result: the summary is of the results that are there.
    const results = reply.get('results');
    const count = Array.isArray(results) ? results.length : undefined;
    t.shows('verify-batch.reply.summary').field(reply, 'summary.total', count);
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
    t.shows('verify-batch.case').field(reply, 'results.0.verified', true);
    t.shows('verify-batch.case').field(reply, 'results.0.agent.hash', hash);
  },
};

/** One fault of a batch; the twin is a batch of one hash. */
const faults: readonly (readonly [word: string, title: string, key: ErrorKey, hashes: (t: Trial) => unknown])[] = [
  ['empty', 'An empty batch is refused', 'verify-batch/INVALID_INPUT', () => []],
  ['missing', 'A batch without hashes is refused', 'verify-batch/INVALID_INPUT', () => undefined],
  ['short', 'A hash that is a digit short is refused', 'verify-batch/INVALID_HASH', (t) => [nobody(t).slice(0, -1)]],
  ['long', 'A hash that is two digits too long is refused', 'verify-batch/INVALID_HASH', (t) => [`${nobody(t)}00`]],
  ['bare', 'A hash without 0x is refused', 'verify-batch/INVALID_HASH', (t) => [nobody(t).slice(2)]],
  ['not-hex', 'A hash that is not hex is refused', 'verify-batch/INVALID_HASH', (t) => [`${nobody(t).slice(0, -1)}g`]],
  [
    'beside',
    'A bad hash after as many good ones as a batch holds besides is refused',
    'verify-batch/INVALID_HASH',
    (t) => [...Array.from({ length: t.protocol.verifyBatch.hashesMax - 1 }, () => nobody(t)), 'no hash'],
  ],
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
    clauses: [...clausesOf[key.endsWith('INPUT') ? 'INVALID_INPUT' : 'INVALID_HASH'], 'verify-batch.reply.missing'],
    refusal: true,
    async run(t) {
      const clauses = clausesOf[key.endsWith('INPUT') ? 'INVALID_INPUT' : 'INVALID_HASH'];
      t.refused(await send(t, hashes(t)), key, ...clauses);
      const least = Array.from({ length: t.protocol.verifyBatch.hashesMin }, () => nobody(t));
      t.accepted(
        await send(t, least),
        ...clauses.filter((id) => !id.includes('.error.')),
        'verify-batch.reply.missing',
      );
    },
  }),
);

const noList: Check = {
  ...base,
  id: 'verify-batch/no-list',
  title: 'A text, a number or an object in place of the list of hashes is refused, and so is a list of numbers',
  clauses: ['verify-batch.body.hashes'],
  requests: 6,
  refusal: true,
  async run(t) {
    // Section 7 gives a code for hashes that are missing or empty, and for a bad hash; which of them this is it does not say.
    for (const hashes of [nobody(t), 7, { 0: nobody(t), length: 1 }, [7]]) {
      t.refusedWith(await send(t, hashes), '4xx', 'verify-batch.body.hashes');
    }
    t.accepted(await send(t, [nobody(t)]), 'verify-batch.body.hashes');
  },
};

const size: Check = {
  ...base,
  id: 'verify-batch/size',
  title: 'A batch of 50 hashes is answered, a larger one refused',
  clauses: [
    'verify-batch.error.batch-too-large',
    'constant.verify-batch-max',
    'verify-batch.body.hashes',
    'verify-batch.reply.order',
  ],
  shares: true,
  registers: 1,
  writes: true,
  refusal: true,
  async run(t) {
    const { hash } = await t.root();
    const { hashesMax } = t.protocol.verifyBatch;
    const hashes = [...Array.from({ length: hashesMax }, () => nobody(t)), hash];
    const clauses = ['verify-batch.error.batch-too-large', 'constant.verify-batch-max', 'verify-batch.body.hashes'];
    t.refused(await send(t, hashes), 'verify-batch/BATCH_TOO_LARGE', ...clauses);
    // 50 items, whichever they are.
    const alike = Array.from({ length: hashesMax + 1 }, () => hash);
    t.refused(await send(t, alike), 'verify-batch/BATCH_TOO_LARGE', ...clauses);
    const most = ['constant.verify-batch-max', 'verify-batch.body.hashes'];
    const reply = t.accepted(await send(t, hashes.slice(1)), ...most);
    t.shows(...most).field(reply, 'summary.total', hashesMax);
    t.shows(...most).field(reply, 'summary.not_found', hashesMax - 1);
    // The last of them is an agent, and its result is the last.
    t.shows('verify-batch.reply.order').field(reply, `results.${hashesMax - 1}.verified`, true);
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
    await judgeLimit(t, {
      limit: 'verifyBatch',
      clause: 'limit.verify-batch',
      bucket: 'auth.rate-bucket.ip',
      send: () => one(),
      other: () => one(elsewhere),
    });
  },
};

export const verifyBatchChecks: readonly Check[] = [
  order,
  same,
  later,
  unstarted,
  repeated,
  letters,
  ...faulty,
  noList,
  size,
  limit,
];
