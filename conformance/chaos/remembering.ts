/** Forms of a server that remembers: each wraps its transport, and keeps what it needs of the traffic. */

import type { WireReply, WireRequest } from '../wire/transport.js';
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

const refusal = (status: number, code: string): WireReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: code, code }),
});

/** The codes by which each call with an agent hash refuses one of another form. */
const BAD_HASH: readonly (readonly [path: RegExp, code: string])[] = [
  [/\/(status|verify|beat-status)\/[^/]+$|\/verify\/batch$/, 'INVALID_HASH'],
  [/\/admin\/agent\/subsidy$/, 'SUBSIDY_INVALID'],
  [/./, 'VALIDATION'],
];

export const rememberingForms: FormTable = {
  'token-spent-by-a-refused-finalize': {
    open: '4.3: whether a registration that is refused uses its token up',
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
    // To a server that compares texts, capitals name an agent that does not exist.
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
