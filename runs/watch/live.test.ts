// The exchanges of the proxy are judged, and those that come too fast are counted.

import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bareTarget } from '../../conformance/target/target.js';
import { referenceHere } from '../../test/fixtures/target.js';
import { NOTHING_DEMANDED } from '../../watch/conclude.js';
import { LiveJudge, observedOf } from './live.js';
import type { Passed } from './proxy.js';
import { setUpFor } from './watch-files.js';
import { type Listening, watchProxy } from './watch-proxy.js';

const demanded = NOTHING_DEMANDED;
const passed: Passed = {
  ...{ nth: 1, method: 'GET', url: 'http://127.0.0.1:1/api/v1/health', headers: ['A', 'b'], body: new Uint8Array() },
  reply: { status: 200, headers: ['Content-Type', 'application/json'], body: Buffer.from('{}') },
  ...{ beganMs: 1, endedMs: 2, client: '127.0.0.1' },
};

it('traffic of a client through both ports is judged', async () => {
  const reference = await referenceHere();
  const { baseUrl, beatsUrl } = reference.target;
  const controller = new AbortController();
  const flags = { to: baseUrl, 'beats-to': beatsUrl ?? '', listen: '127.0.0.1:0', demanded };
  const result = await watchProxy(
    flags,
    controller.signal,
    async (all: readonly Listening[]) => {
      const [registry, beats] = all.map(({ url }) => url);
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${registry}/api/v1/register`, { method: 'POST', headers, body: '{"name":"a"}' });
      const { hash, api_key } = (await reply.json()) as { hash: string; api_key: string };
      const authorization = `Bearer ${api_key}`;
      await fetch(`${registry}/api/v1/agent/init`, {
        method: 'POST',
        headers: { ...headers, authorization },
        body: '{}',
      });
      await Promise.all([1, 2, 3].map(async () => (await fetch(`${registry}/api/v1/status/${hash}`)).text()));
      await (await fetch(`${beats}/api/health`)).text();
      controller.abort();
    },
    'here',
  );
  await reference.stop();
  expect(result).toMatchObject({ exit_status: 0, base_url: baseUrl, beats_url: beatsUrl, breaks: [] });
  expect(result.exchanges).toMatchObject({ seen: 6, not_judged: {} });
  expect(result.clauses.filter(({ state }) => state === 'holds').map(({ id }) => id)).toContain('init.route');
});

it('exchanges beyond the bound of the queue are counted, and nothing that was known is used after', async () => {
  const setUp = setUpFor(bareTarget('http://127.0.0.1:1'), {}, []);
  const judge = new LiveJudge(
    setUp,
    () => Number.POSITIVE_INFINITY,
    () => 20_000,
    'here',
  );
  for (let nth = 1; nth <= 10_003; nth += 1) judge.add({ ...passed, nth, beganMs: nth, endedMs: nth + 0.5 });
  const { exchanges, forgotten } = await judge.end(demanded);
  expect([exchanges.seen, exchanges.not_judged, forgotten.unknown]).toEqual([10_003, { dropped: 3 }, 1]);
});

it('an exchange is read with its codings undone; what is not known is not judged', () => {
  const coded = { status: 200, headers: ['Content-Encoding', 'gzip'], body: gzipSync('{"a":1}') };
  expect(observedOf({ ...passed, reply: coded })).toMatchObject({ reply: { body: '{"a":1}' } });
  const other = observedOf({ ...passed, reply: { ...coded, body: Buffer.from('plain') } });
  expect(other).toMatchObject({ reply: undefined, unread: 'body' });
  expect(observedOf({ ...passed, body: undefined })).toMatchObject({ lacksBody: true });
});
