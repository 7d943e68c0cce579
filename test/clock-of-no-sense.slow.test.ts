// A server that is correct except for its control API, whose clock reports impossible times.
import { expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { conform } from '../conformance/run/runner.js';
import type { Transport } from '../conformance/wire/transport.js';
import { lighter, startJudged } from './fixtures/target.js';

const FAMILIES = /^(register|status|beat-anchor|verify-batch|init|heartbeat|verify)\//;
const checks = allChecks.filter(({ requests, id }) => requests <= 30 && FAMILIES.test(id));

it.each(['1e300', '8640000000000000', '{"valueOf":1}'])('a clock that tells %s convicts nobody', async (now) => {
  const { target, send, close } = await startJudged('webhooks', { beat: lighter.beat });
  const headers = { 'content-type': 'application/json' };
  const transport: Transport = async (request) =>
    request.url.endsWith('/clock/advance')
      ? { status: 200, headers, body: `{"now_ms":${now},"anchor_index":0}` }
      : send(request);
  const options = { checks, transport, seed: 1, toolVersion: 'test', nowWallMs: Date.now, looks: false };
  const result = await conform(target, options).finally(close);
  const of = (...verdicts: readonly string[]) =>
    result.checks.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
  expect(of('fail', 'advisory', 'error')).toEqual([]);
  expect(of('pass').length).toBeGreaterThan(30);
  expect(of('inconclusive')).not.toEqual([]);
});
