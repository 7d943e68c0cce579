/** Mistakes of rate limits: who is counted, and for how long. */
import type { Mutant } from './mutant.js';

const bucketsHttp = 'reference/http/request/buckets';
const rateLimitHttp = 'reference/http/request/rate-limit';
const routeHttp = 'reference/http/request/route';

/** The row of each limit that is looked at on arrival and counted once the request has been handled. */
const countedLate = (
  [
    ['init', 'init'],
    ['heartbeat', 'heartbeat'],
    ['sigil', 'sigil'],
    ['reissue-proof', 'reissue-proof'],
    ['spawn', 'spawn'],
    ['beats-submit', 'beats-submit'],
    ['metadata', 'metadata'],
    ['sponsor', 'sponsor.post'],
    ['wallet', 'wallet'],
    ['verify-batch', 'verify-batch'],
  ] as const
).map(
  ([stem, row]): Mutant => ({
    id: `limits/counted-late-${stem}`,
    title: `calls of ${stem} count in their limit when they have been handled`,
    clause: `limit.${row}`,
    patch: {
      file: routeHttp,
      before: "import { advanceToNow } from './global-time.js';",
      after:
        "import { advanceToNow } from './global-time.js';\nimport { bucketWaitMs, countInBucket } from './rate-limit.js';",
      also: [
        {
          file: routeHttp,
          before: '    const answered = await answerRequest(host, route, req, res);',
          after:
            '    const late = [];\n    const answered = await answerRequest(host, route, req, res, late);\n    for (const { key, limit, nowMs } of late)\n        countInBucket(host.limiter, key, limit, nowMs);',
        },
        {
          file: routeHttp,
          before: 'async function answerRequest(host, route, req, res) {',
          after: 'async function answerRequest(host, route, req, res, late) {',
        },
        {
          file: routeHttp,
          before: 'const admitted = authenticate(host, route, { header, body });',
          after: 'let admitted = authenticate(host, route, { header, body });',
        },
        {
          file: routeHttp,
          before: '    const limited = refuseRate(host, buckets, admitted.nowMs);',
          after: `    let limited = null;
    if (endpoint.stem === '${stem}' && !buckets.some(({ key, limit }) => bucketWaitMs(host.limiter, key, limit, admitted.nowMs) > 0)) {
        await new Promise((resolve) => setTimeout(resolve, 25));
        admitted = authenticate(host, route, { header, body });
        late.push(...buckets.map((bucket) => ({ ...bucket, nowMs: admitted.nowMs })));
    }
    else
        limited = refuseRate(host, buckets, admitted.nowMs);`,
        },
      ],
    },
  }),
);

export const limitsMutants: readonly Mutant[] = [
  ...countedLate,
  {
    id: 'limits/one-bucket-for-all',
    title: 'all agents share a bucket',
    clause: 'auth.rate-bucket.agent',
    patch: {
      file: bucketsHttp,
      before: 'return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}`;',
      after: 'return caller.agent < 0 ? byIp : row;',
    },
  },
  {
    id: 'limits/by-address-only',
    title: 'agents are counted by address',
    clause: 'auth.rate-bucket.agent',
    patch: {
      file: bucketsHttp,
      before: 'return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}`;',
      after: 'return byIp;',
    },
  },
  {
    id: 'limits/by-agent-only',
    title: 'endpoints of an agent share a bucket',
    clause: 'auth.rate-bucket.agent',
    patch: {
      file: bucketsHttp,
      before: 'const row = `${service}${path}|${bucket.limit}`;',
      after:
        "const row = `${bucket.limit.startsWith('init') ? '' : service}${bucket.by === 'subject' ? '' : `${path}|${bucket.limit}`}`;",
    },
  },
  {
    id: 'limits/one-bucket-for-addresses',
    title: 'all addresses share a bucket',
    clause: 'auth.rate-bucket.ip',
    patch: { file: bucketsHttp, before: 'const byIp = `${row}|ip|${caller.ip}`;', after: 'const byIp = `${row}|ip`;' },
  },
  {
    id: 'limits/address-family',
    title: 'addresses of one network share a bucket',
    clause: 'auth.rate-bucket.ip',
    patch: {
      file: bucketsHttp,
      before: 'const byIp = `${row}|ip|${caller.ip}`;',
      after: "const byIp = `${row}|ip|${caller.ip.split('.')[0]}`;",
    },
  },
  {
    id: 'limits/every-path-by-address',
    title: "all paths share an address's bucket",
    clause: 'auth.rate-bucket.ip',
    patch: {
      file: bucketsHttp,
      before: 'const byIp = `${row}|ip|${caller.ip}`;',
      after: 'const byIp = `ip|${caller.ip}`;',
    },
  },
  {
    id: 'limits/target-by-reporter',
    title: 'flags of a target are counted by reporter',
    clause: 'limit.flag.target',
    patch: {
      file: bucketsHttp,
      before: ': `${row}|target|${target}`;',
      after: ': `${row}|target|${target}|${caller.agent}`;',
    },
  },
  {
    id: 'limits/partner-by-address',
    title: 'partners are counted by address',
    clause: 'limit.partner-webhook',
    patch: {
      file: bucketsHttp,
      before: 'return caller.partner < 0 ? byIp : `${row}|partner|${caller.partner}`;',
      after: 'return byIp;',
    },
  },
  {
    id: 'limits/partner-together',
    title: 'all partners share a bucket',
    clause: 'limit.partner-webhook',
    patch: {
      file: bucketsHttp,
      before: 'return caller.partner < 0 ? byIp : `${row}|partner|${caller.partner}`;',
      after: 'return row;',
    },
  },
  {
    id: 'limits/global-by-address',
    title: 'the limit over all callers is one by address',
    clause: 'limit.register-token.global',
    patch: {
      file: bucketsHttp,
      before: "case 'service':\n            return `${row}`;",
      after: "case 'service':\n            return byIp;",
    },
  },
  {
    id: 'limits/off',
    title: 'there are no limits',
    clause: 'limit.spawn',
    patch: { file: bucketsHttp, before: 'if (refused.length === 0)', after: 'if (refused.length >= 0)' },
  },
  {
    id: 'limits/first-bucket-only',
    title: 'only the first limit of an endpoint holds',
    clause: 'limit.flag.reporter',
    patch: {
      file: bucketsHttp,
      before: 'const refused = buckets.filter(({ key, limit }) => countInBucket(host.limiter, key, limit, nowMs) > 0);',
      after:
        'const refused = buckets.slice(0, 1).filter(({ key, limit }) => countInBucket(host.limiter, key, limit, nowMs) > 0);',
    },
  },
  {
    id: 'limits/window-never-ends',
    title: 'a full bucket stays full',
    clause: 'limit.wallet',
    patch: {
      file: rateLimitHttp,
      before: 'endMs: count === 0 ? nowMs + windowMs : endMs',
      after: 'endMs: count === 0 ? nowMs + 1e12 : endMs',
    },
  },
  {
    id: 'limits/windows-of-a-minute',
    title: 'every window lasts a minute',
    clause: 'limit.init',
    patch: {
      file: rateLimitHttp,
      before: 'endMs: count === 0 ? nowMs + windowMs : endMs',
      after: 'endMs: count === 0 ? nowMs + Math.min(60_000, windowMs) : endMs',
    },
  },
  {
    id: 'limits/windows-of-an-hour',
    title: 'every window lasts an hour',
    clause: 'limit.metadata',
    patch: {
      file: rateLimitHttp,
      before: 'endMs: count === 0 ? nowMs + windowMs : endMs',
      after: 'endMs: count === 0 ? nowMs + 3_600_000 : endMs',
    },
  },
  {
    id: 'limits/forgets-with-the-sweep',
    title: 'a sweep empties all buckets',
    clause: 'limit.init',
    patch: {
      file: rateLimitHttp,
      before:
        'for (const [bucket, { endMs }] of limiter.windows)\n        if (endMs <= nowMs)\n            limiter.windows.delete(bucket);',
      after: 'limiter.windows.clear();',
    },
  },
  {
    id: 'limits/every-second-counts',
    title: 'every second request counts',
    clause: 'limit.flag.reporter',
    patch: {
      file: rateLimitHttp,
      before: 'endMs: count === 0 ? nowMs + windowMs : endMs, count: count + 1',
      after: 'endMs: count === 0 ? nowMs + windowMs : endMs, count: count + 0.5',
    },
  },
  {
    id: 'limits/register-shared',
    title: 'the wallet flow counts towards the limit of registrations without a wallet',
    clause: 'limit.register',
    patch: {
      file: bucketsHttp,
      before: 'const row = `${service}${path}|${bucket.limit}`;',
      after: "const row = path.endsWith('/register') ? `${service}${path}` : `${service}${path}|${bucket.limit}`;",
    },
  },
  {
    id: 'limits/one-bucket-for-equal-limits',
    title: 'two paths with the same limit share a bucket',
    clause: 'auth.rate-bucket.agent',
    patch: {
      file: 'reference/http/request/buckets',
      before: '            return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}`;',
      after:
        "            if (caller.agent >= 0 && (bucket.limit === 'beatsSubmit' || bucket.limit === 'metadata'))\n                return `${service}|30 a minute|agent|${caller.agent}`;\n            return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}`;",
    },
  },
  {
    id: 'register/limit-not-of-tokens',
    title: 'registrations with a token count in no limit',
    clause: 'limit.register',
    patch: {
      file: 'reference/http/request/route',
      before: 'const buckets = bucketsOf(host, endpoint, { ip: clientIp(host, req), agent, partner, body });',
      after:
        "const buckets = header('x-registration-token') === undefined ? bucketsOf(host, endpoint, { ip: clientIp(host, req), agent, partner, body }) : [];",
    },
  },
  {
    id: 'register/limit-not-of-children',
    title: 'registrations of children count in no limit',
    clause: 'limit.register',
    patch: {
      file: 'spec/endpoints/register',
      before: 'test: (body) => !isWalletFlow(body) },',
      after:
        "test: (body) => !isWalletFlow(body) && !(typeof body === 'object' && body !== null && 'spawn_authorization' in body) },",
    },
  },
  {
    id: 'register/limit-of-operators',
    title: 'the first phase of the operator mode counts as a registration without a wallet',
    clause: 'limit.register.wallet-flow',
    patch: {
      file: 'spec/endpoints/register',
      before: "return mode !== 'root' && mode !== 'child';",
      after: "return mode !== 'root' && mode !== 'child' && mode !== 'operator-challenge';",
    },
  },
  {
    id: 'wallet/limit-of-nonces',
    title: 'calls that link a wallet count in no limit, those that ask for a nonce do',
    clause: 'limit.wallet',
    patch: {
      file: bucketsHttp,
      before: '.filter(({ when }) => when === undefined || when.test(caller.body))',
      after:
        ".filter(({ when, limit }) => limit === 'wallet' ? caller.body?.action === 'challenge' : when === undefined || when.test(caller.body))",
    },
  },
  {
    id: 'metadata/limit-by-query',
    title: 'every query has a bucket of its own',
    clause: 'limit.metadata',
    patch: {
      file: 'reference/http/request/buckets',
      before: 'return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}`;',
      after: "return caller.agent < 0 ? byIp : `${row}|${caller.target ?? ''}|agent|${caller.agent}`;",
      also: [
        {
          file: 'reference/http/request/route',
          before: 'const buckets = bucketsOf(host, endpoint, { ip: clientIp(host, req), agent, partner, body });',
          after:
            'const buckets = bucketsOf(host, endpoint, { ip: clientIp(host, req), agent, partner, body, target: req.url });',
        },
      ],
    },
  },
  {
    id: 'resync/limit-counts-challenges',
    title: 'calls of the challenge form count in the limit of the receipt form too',
    clause: 'limit.resync.receipt',
    patch: {
      file: 'reference/http/request/buckets',
      before: '.filter(({ when }) => when === undefined || when.test(caller.body))',
      after: ".filter(({ when, limit }) => limit === 'resyncReceipt' || when === undefined || when.test(caller.body))",
    },
  },
];
