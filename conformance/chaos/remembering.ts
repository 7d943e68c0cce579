/** Forms that depend on earlier traffic: each wraps the transport of a server, and records the traffic that it needs. */

import { isObject } from '../../spec/formats.js';
import type { Transport, WireReply, WireRequest } from '../wire/transport.js';
import { type FormTable, objectOf } from './form.js';

const TOKEN = 'x-registration-token';
const isOf = ({ url }: WireRequest, path: string): boolean => new URL(url).pathname === `/api/v1/${path}`;
const withHeader = (request: WireRequest, name: string, value: string): WireRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

/** The fields of a body that hold an agent hash. */
const HASHES = ['child_hash', 'target_hash', 'agent_hash', 'parent'];
const hasCapitals = (value: unknown): boolean =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) && /[A-F]/.test(value);

/** Whether a request names an agent in capitals, in its path or its body. */
function namesInCapitals({ url, body = '' }: WireRequest): boolean {
  const sent = objectOf(body);
  const { hashes } = sent;
  const listed: readonly unknown[] = Array.isArray(hashes) ? hashes : [];
  const named = [new URL(url).pathname.split('/').at(-1), ...HASHES.map((field) => sent[field]), ...listed];
  return named.some(hasCapitals);
}

/** The codes with which each call refuses an agent hash of another form. */
const BAD_HASH: readonly (readonly [path: RegExp, code: string])[] = [
  [/\/(status|verify|beat-status)\/[^/]+$|\/verify\/batch$/, 'INVALID_HASH'],
  [/\/admin\/agent\/subsidy$/, 'SUBSIDY_INVALID'],
  [/./, 'VALIDATION'],
];

const answer = (status: number, json: object): WireReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(json),
});
const refusal = (status: number, code: string): WireReply => answer(status, { error: code, code });
const authorizationOf = ({ headers }: WireRequest): string => headers['authorization'] ?? '';

/** The time of a service, as the replies of its control API show it; it starts at anchor 0. */
class SeenClock {
  nowMs: number | undefined;
  anchor = 0;

  note({ url }: WireRequest, { body }: WireReply): void {
    if (!new URL(url).pathname.endsWith('/clock/advance')) return;
    const { now_ms, anchor_index } = objectOf(body);
    if (typeof now_ms === 'number') this.nowMs = now_ms;
    if (typeof anchor_index === 'number') this.anchor = anchor_index;
  }
}

/** Wraps the transport of a service, and follows its time. */
const timed =
  (make: (send: Transport, clock: SeenClock) => Transport) =>
  (send: Transport): Transport => {
    const clock = new SeenClock();
    const formed = make(send, clock);
    return async (request) => {
      const reply = await formed(request);
      clock.note(request, reply);
      return reply;
    };
  };

export const rememberingForms: FormTable = {
  'passport-null-after-its-validity': {
    open: '4.1: GET passport after the last moment of the passport',
    around: timed((send, clock) => {
      const until = new Map<string, unknown>();
      return async (request) => {
        const agent = authorizationOf(request);
        const last = until.get(agent);
        const isOver = typeof last === 'number' && clock.nowMs !== undefined && clock.nowMs >= last;
        const reply = await send(request);
        if (isOver && isOf(request, 'agent/passport') && reply.status < 300) return answer(200, { passport: null });
        const { passport } = objectOf(reply.body);
        if (isObject(passport)) until.set(agent, passport['valid_until']);
        return reply;
      };
    }),
  },
  'first-heartbeat-after-10-beats': {
    open: '4.5: from when the interval before a first heartbeat counts',
    around: timed((send, clock) => {
      const from = new Map<string, number>();
      return async (request) => {
        const agent = authorizationOf(request);
        const start = from.get(agent) ?? Number.NEGATIVE_INFINITY;
        const { payment_tx: _, ...unpaid } = objectOf(request.body ?? '');
        const isEarly = isOf(request, 'agent/heartbeat') && clock.anchor - start < 10;
        // The request still counts in the limits, and uses no payment.
        const reply = await send(isEarly ? { ...request, body: JSON.stringify(unpaid) } : request);
        if (isEarly && objectOf(reply.body)['code'] === 'PAYMENT_REQUIRED')
          return answer(429, { error: 'wait', code: 'HEARTBEAT_TOO_SOON', next_eligible_beat: start + 10 });
        const isStart = isOf(request, 'agent/init') && reply.status < 300;
        if (isStart && objectOf(reply.body)['already_initialized'] !== true) from.set(agent, clock.anchor);
        return reply;
      };
    }),
    lost: 6,
  },
  'token-spent-by-a-refused-finalize': {
    open: '4.3: whether a refused registration uses up its token',
    around: (send) => {
      const spent = new Set<string>();
      return async (request) => {
        const { [TOKEN]: token } = request.headers;
        if (token === undefined || !isOf(request, 'register')) return send(request);
        const reply = await send(spent.has(token) ? withHeader(request, TOKEN, '0'.repeat(64)) : request);
        if (reply.status >= 400 && reply.status !== 429) spent.add(token);
        return reply;
      };
    },
  },
  'sustained-complaints-are-pending': {
    open: '3.5: the status of a sustained complaint',
    around: (send) => {
      const pairs = new Map<string, string>();
      const sustained = new Set<string>();
      const pairOf = (request: WireRequest): string =>
        `${authorizationOf(request)} ${String(objectOf(request.body ?? '')['target_hash']).toLowerCase()}`;
      return async (request) => {
        const [, id = ''] = /\/flags\/([^/]+)\/review$/.exec(new URL(request.url).pathname) ?? [];
        const isFlag = isOf(request, 'agent/flag');
        const isAgain = isFlag && sustained.has(pairOf(request));
        // The request still counts in the limits, and files no flag.
        const sent = { ...objectOf(request.body ?? ''), ...(isAgain ? { reason: '' } : {}) };
        const reply = await send(isAgain ? { ...request, body: JSON.stringify(sent) } : request);
        if (isAgain && reply.status === 400) return refusal(409, 'FLAG_DUPLICATE');
        if (isFlag && reply.status < 300) pairs.set(String(objectOf(reply.body)['flag_id']), pairOf(request));
        if (id === '' || reply.status >= 300) return reply;
        const isSustained = objectOf(request.body ?? '')['outcome'] === 'sustain';
        const pair = pairs.get(id) ?? '';
        if (isSustained) sustained.add(pair);
        else sustained.delete(pair);
        return reply;
      };
    },
  },
  'hashes-in-capitals-refused': {
    group: 'case',
    open: '2: case of the hex characters of an agent hash',
    around: (send) => async (request) => {
      if (!namesInCapitals(request)) return send(request);
      const [, code = ''] = BAD_HASH.find(([path]) => path.test(new URL(request.url).pathname)) ?? [];
      return refusal(400, code);
    },
  },
  'hashes-in-capitals-not-found': {
    group: 'case',
    open: '2: case of the hex characters of an agent hash',
    // For a server that compares texts, a hash in capitals names an agent that does not exist.
    around: (send) => (request) => {
      const other = (text = ''): string =>
        text.replaceAll(/0x[0-9a-fA-F]{64}/g, (hash) => (hasCapitals(hash) ? `0x${'0'.repeat(64)}` : hash));
      return namesInCapitals(request)
        ? send({
            ...request,
            url: other(request.url),
            ...(request.body === undefined ? {} : { body: other(request.body) }),
          })
        : send(request);
    },
  },
  'sponsorships-end-with-the-key-of-the-parent': {
    open: "3.4: whether the loss of a parent's key ends what it pays for",
    around: (send) => {
      const keys = new Map<string, string>();
      const sponsored = new Map<string, { readonly request: WireRequest; readonly child: unknown }[]>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        const [, hash] = /\/control\/v1\/agents\/(0x[0-9a-f]{64})\/revoke-key$/i.exec(pathname) ?? [];
        const key = keys.get(String(hash).toLowerCase());
        for (const { request: made, child } of sponsored.get(key ?? '') ?? [])
          await send({ ...made, method: 'DELETE', body: JSON.stringify({ child_hash: child }) });
        const reply = await send(request);
        const { authorization = '' } = request.headers;
        if (isOf(request, 'register') && reply.status < 300) {
          const { hash: own, api_key } = objectOf(reply.body);
          keys.set(String(own).toLowerCase(), `Bearer ${String(api_key)}`);
        }
        if (isOf(request, 'agent/sponsor') && request.method === 'POST' && reply.status < 300) {
          const { child_hash: child } = objectOf(request.body ?? '');
          sponsored.set(authorization, [...(sponsored.get(authorization) ?? []), { request, child }]);
        }
        return reply;
      };
    },
  },
};
