/** Rows for the numbers of body sizes, complaints and deliveries: how each shows on the wire. */

import { answerOf, type Lab } from './lab.js';
import { comes, edged, least, most, type Row, told } from './row.js';

async function batch(lab: Lab, size: number): Promise<string> {
  const hashes = Array(size).fill(`0x${'ab'.repeat(32)}`);
  return answerOf(await lab.call('POST /verify/batch', { hashes }));
}

/** A body of so many bytes: how a call with it is answered, but for what it says. */
const bodyOf = (name: string) => async (lab: Lab, bytes: number) => {
  const answer = answerOf(await lab.call(name, { pad: 'a'.repeat(bytes - '{"pad":""}'.length) }));
  return answer === '413 BODY_TOO_LARGE' ? answer : 'read';
};

/** Complaints of one reporter, each about somebody new. */
async function reporter(lab: Lab): Promise<(reason?: string) => Promise<string>> {
  const { key } = await lab.sigilAgent();
  return async (reason = 'it does more than its class says') => {
    const { hash: target_hash } = await lab.plain();
    return answerOf(await lab.call('POST /agent/flag', { target_hash, asserted_class: 'autonomous', reason }, key));
  };
}

/** The answer to the n-th complaint while all before are pending. */
async function nthFlag(lab: Lab, n: number): Promise<string> {
  const flag = await reporter(lab);
  for (let i = 1; i < n; i++) await flag();
  return flag();
}

/** A complaint so long after one that is still pending. */
async function flagAfter(lab: Lab, ms: number): Promise<string> {
  const flag = await reporter(lab);
  await flag();
  await lab.advance(ms);
  return flag();
}

const BROKEN = '429 RATE_LIMITED';

/** A partner that hears of purchases, a receiver that answers as told, and an agent under the partner. */
async function partner(lab: Lab) {
  const receiver = await lab.receiver();
  const { key, ref } = await lab.control('POST partners', { name: 'Acme' });
  await lab.done('PUT /partner/webhook', { url: receiver.url, events: ['sigil.purchased'] }, key);
  const agent = await lab.agent({ ref });
  const buy = async (): Promise<void> => {
    const bought = await lab.buySigil(agent, 'narrow_task', 50_000_000);
    if (bought.status !== 200) throw new Error(`no SIGIL: ${answerOf(bought)}`);
  };
  const flush = () => lab.control('POST webhooks/flush');
  return { receiver, buy, flush };
}

/** What becomes of a delivery that is answered so late, by the machine's clock. */
async function lateAnswer(lab: Lab, afterMs: number): Promise<string> {
  const { receiver, buy, flush } = await partner(lab);
  receiver.answers.push({ afterMs });
  await buy();
  await flush();
  // What failed waits for its retry.
  return (await flush()).pending === 0 ? 'delivered' : 'failed';
}

/** D-37. */
const RETRIES_SEC = [60, 300, 1_800, 7_200, 43_200] as const;

/** Whether a delivery that failed `k` times is tried again so long after the last of these. */
const retried = (k: number) => async (lab: Lab, ms: number) => {
  const { receiver, buy, flush } = await partner(lab);
  receiver.answers.push(...Array<number>(k + 1).fill(500));
  await buy();
  await flush();
  for (const sec of RETRIES_SEC.slice(0, k - 1)) {
    await lab.advance(sec * 1_000);
    await flush();
  }
  if (receiver.got.length !== k) throw new Error(`${receiver.got.length} attempts before the one that is asked about`);
  await lab.advance(ms);
  await flush();
  return receiver.got.length === k ? 'waits' : 'tried again';
};

/** Sizes of requests, complaints, and deliveries to partners. */
export const requestRows: readonly Row[] = [
  least('verifyBatch.hashesMin', 1, { ask: batch, outside: '400 INVALID_INPUT' }),
  most('verifyBatch.hashesMax', 50, { ask: batch, outside: '400 BATCH_TOO_LARGE' }),
  most('body.bytesMax', 65_536, { ask: bodyOf('POST /register/token'), inside: 'read', outside: '413 BODY_TOO_LARGE' }),
  most('body.proofBytesMax', 262_144, {
    ask: bodyOf('POST /beat/verify'),
    inside: 'read',
    outside: '413 BODY_TOO_LARGE',
  }),

  least('flag.reasonCharsMin', 1, {
    ask: async (lab, chars) => (await reporter(lab))('a'.repeat(chars)),
    outside: '400 VALIDATION',
  }),
  most('flag.reasonCharsMax', 2_000, {
    ask: async (lab, chars) => (await reporter(lab))('a'.repeat(chars)),
    outside: '400 VALIDATION',
  }),
  // Section 8: more than 20 pending block, so the 22nd is refused (D-34).
  edged(
    'flag.breakerPendingMax',
    20,
    (n) => [
      [n + 1, 'ok'],
      [n + 2, BROKEN],
    ],
    { ask: nthFlag, alone: true, alongside: { 'limits.flagReporter.count': 100 } },
  ),
  comes('flag.breakerWindowSec', 86_400, {
    ask: flagAfter,
    before: BROKEN,
    after: 'ok',
    alone: true,
    alongside: { 'flag.breakerPendingMax': 0 },
  }),

  told('webhook.secretBytes', 32, async (lab) => {
    const { key } = await lab.control('POST partners', { name: 'Acme' });
    const body = { url: 'https://example.com/hook', events: ['sigil.purchased'] };
    return (await lab.done('PUT /partner/webhook', body, key)).webhook_secret.length / 2;
  }),
  // The one number that the machine's own clock measures, so its sides stand well apart.
  edged(
    'webhook.timeoutSec',
    3,
    (n) => [
      [n * 500, 'delivered'],
      [n * 1_500, 'failed'],
    ],
    { ask: lateAnswer, alone: true, changed: [1] },
  ),
  ...RETRIES_SEC.map((sec, i) =>
    comes(`webhook.retry${i + 1}Sec`, sec, { ask: retried(i + 1), before: 'waits', after: 'tried again' }),
  ),
];
