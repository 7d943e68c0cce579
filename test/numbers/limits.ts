/** Rows for both numbers of every rate limit: how many requests are admitted, and when the window ends. */

import { HOUR_SEC, MINUTE_SEC } from '../../spec/time.js';
import { answerOf, type Lab } from './lab.js';
import { edged, most, type Row } from './row.js';

/** Who shares a bucket: requests that have this in common. */
type Common = 'address' | 'agent' | 'target' | 'service';

/** A row of section 8, and a request that it counts; what the request is refused for otherwise does not matter. */
interface Limited {
  readonly name: string;
  readonly count: number;
  readonly windowSec: number;
  readonly common: Common;
  readonly request: string;
  readonly body?: object;
  /** Whose key is sent; none where there is none to send. */
  readonly key?: 'agent' | 'admin' | 'partner';
}

function limited(
  name: string,
  [count, windowSec]: readonly [count: number, windowSec: number],
  common: Common,
  request: string,
  given: Pick<Limited, 'body' | 'key'> = {},
): Limited {
  return { name, count, windowSec, common, request, ...given };
}

const byAgent = { key: 'agent', body: {} } as const;

/** Section 8, in its order; then D-08, D-10, D-12 and D-23. */
const table: readonly Limited[] = [
  limited('register', [10, HOUR_SEC], 'address', 'POST /register', { body: { name: 'x' } }),
  limited('registerWalletFlow', [30, HOUR_SEC], 'address', 'POST /register', {
    body: { name: 'x', action: 'challenge' },
  }),
  limited('registerToken', [3, HOUR_SEC], 'address', 'POST /register/token', { body: {} }),
  limited('registerTokenGlobal', [50, HOUR_SEC], 'service', 'POST /register/token', { body: {} }),
  limited('wallet', [30, HOUR_SEC], 'address', 'POST /agent/wallet', byAgent),
  limited('init', [30, HOUR_SEC], 'agent', 'POST /agent/init', byAgent),
  limited('heartbeat', [60, MINUTE_SEC], 'agent', 'POST /agent/heartbeat', byAgent),
  limited('sigil', [5, HOUR_SEC], 'agent', 'POST /sigil', byAgent),
  limited('reissueProof', [10, HOUR_SEC], 'agent', 'POST /agent/reissue-proof', byAgent),
  limited('spawn', [5, HOUR_SEC], 'agent', 'POST /agent/spawn', byAgent),
  limited('beatsSubmit', [30, MINUTE_SEC], 'agent', 'POST /agent/beats/submit', byAgent),
  limited('resyncChallenge', [5, MINUTE_SEC], 'address', 'POST /agent/resync', {
    key: 'agent',
    body: { action: 'challenge' },
  }),
  limited('resyncReceipt', [10, HOUR_SEC], 'address', 'POST /agent/resync', byAgent),
  limited('metadata', [30, MINUTE_SEC], 'agent', 'PATCH /agent/metadata', byAgent),
  limited('sponsorPost', [10, HOUR_SEC], 'agent', 'POST /agent/sponsor', byAgent),
  limited('sponsorDelete', [60, MINUTE_SEC], 'agent', 'DELETE /agent/sponsor', byAgent),
  limited('sponsorGet', [60, MINUTE_SEC], 'agent', 'GET /agent/sponsor', { key: 'agent' }),
  limited('flag', [10, MINUTE_SEC], 'address', 'POST /agent/flag', byAgent),
  limited('flagReporter', [3, HOUR_SEC], 'agent', 'POST /agent/flag', byAgent),
  limited('flagTarget', [10, HOUR_SEC], 'target', 'POST /agent/flag', byAgent),
  limited('verifyBatch', [10, MINUTE_SEC], 'address', 'POST /verify/batch', { body: {} }),
  limited('subsidy', [30, MINUTE_SEC], 'address', 'POST /admin/agent/subsidy', { key: 'admin', body: {} }),
  limited('partnerWebhook', [10, MINUTE_SEC], 'agent', 'GET /partner/webhook', { key: 'partner' }),
  limited('passport', [10, HOUR_SEC], 'agent', 'GET /agent/passport', { key: 'agent' }),
  limited('beatVerify', [10, MINUTE_SEC], 'address', 'POST /beat/verify', { body: {} }),
  limited('workProof', [10, MINUTE_SEC], 'address', 'POST beats:/beat/work-proof', { body: {} }),
  limited('beatTimestamp', [5, MINUTE_SEC], 'address', 'POST beats:/beat/timestamp', {
    body: { hash: 'ab'.repeat(32) },
  }),
  limited('lookup', [60, MINUTE_SEC], 'address', 'GET /fees/summary'),
];

async function freshKey(lab: Lab, key: Limited['key']): Promise<string | undefined> {
  switch (key) {
    case 'agent':
      return (await lab.plain()).key;
    case 'admin':
      return (await lab.control('POST admin-keys')).key;
    case 'partner':
      return (await lab.control('POST partners', { name: 'Acme' })).key;
    case undefined:
      return undefined;
    default:
      return key satisfies never;
  }
}

let targets = 0;

/** A target that nobody has complained about. */
function freshTarget(): string {
  targets += 1;
  return `0x${targets.toString(16).padStart(64, '0')}`;
}

/** An empty bucket: each call of the result is one more request that it counts, and as little else as possible. */
async function bucket(lab: Lab, { common, request, body, key }: Limited): Promise<() => Promise<string>> {
  const same = { ip: lab.freshIp(), key: await freshKey(lab, key), target: freshTarget() };
  const flags = request.endsWith('/flag');
  return async () => {
    const from = { 'x-forwarded-for': common === 'address' ? same.ip : lab.freshIp() };
    // Complaints are counted in three ways at once, so the other two must not fill up.
    const mine = flags && common !== 'agent' ? await freshKey(lab, key) : same.key;
    const target = flags ? { target_hash: common === 'target' ? same.target : freshTarget() } : {};
    const sent = body === undefined ? undefined : { ...body, ...target };
    const reply = await lab.call(request, sent, mine, from);
    if (reply.status !== 429) return 'admitted';
    const seconds = reply.headers.get('retry-after');
    return `${answerOf(reply)}, again after ${reply.body.retry_after_ms} ms or ${seconds} s`;
  };
}

const refused = (ms: number): string => `429 RATE_LIMITED, again after ${ms} ms or ${Math.ceil(ms / 1_000)} s`;

/** The first `count` requests of a bucket are admitted. Positions come in order, so each goes on where the last ended. */
function countRow(limit: Limited): Row {
  const filling = new WeakMap<Lab, { made: number; readonly request: () => Promise<string> }>();
  const ask = async (lab: Lab, nth: number): Promise<string> => {
    const state = filling.get(lab) ?? { made: 0, request: await bucket(lab, limit) };
    filling.set(lab, state);
    for (; state.made < nth - 1; state.made++) await state.request();
    state.made += 1;
    return state.request();
  };
  const outside = refused(limit.windowSec * 1_000);
  return most(`limits.${limit.name}.count`, limit.count, { ask, inside: 'admitted', outside });
}

/** A bucket that one request fills is empty again when its window ends, which the refusal foretells. */
function windowRow(limit: Limited): Row {
  const path = `limits.${limit.name}`;
  const ask = async (lab: Lab, ms: number): Promise<string> => {
    const request = await bucket(lab, limit);
    await request();
    await lab.advance(ms);
    return request();
  };
  return edged(
    `${path}.windowSec`,
    limit.windowSec,
    (n) => [
      [0, refused(n * 1_000)],
      [n * 1_000 - 1, refused(1)],
      [n * 1_000, 'admitted'],
    ],
    { ask, alongside: { [`${path}.count`]: 1 }, ...(limit.common === 'service' ? { alone: true } : {}) },
  );
}

/** Both numbers of every rate limit. */
export const limitRows: readonly Row[] = table.flatMap((limit) => [countRow(limit), windowRow(limit)]);
