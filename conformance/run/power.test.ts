// The situations of requests in a run, and what they say about planted mistakes: the same for a service with other numbers.
import { expect, it } from 'vitest';
import type { Judgement } from '../../model/evidence.js';
import type { Overlay } from '../../spec/overlay.js';
import { withOverlay } from '../../spec/overlay.js';
import { CHEAP, loadReference, startInProcess } from '../in-process/reference.js';
import { conform } from './runner.js';

/** The judged exchanges of a check against the reference with some numbers, and the result. */
async function ran(only: string, overlay: Overlay = {}) {
  const numbers = withOverlay(overlay, withOverlay(CHEAP));
  const { target, send, close } = startInProcess(await loadReference(), { seed: 1, numbers });
  const seen: Judgement[] = [];
  const onExchange = (judgement: Judgement, check: string): void => {
    if (check === only) seen.push(judgement);
  };
  const options = { seed: 1, toolVersion: 'test', nowWallMs: Date.now, only: [only], unprobed: true };
  try {
    return { seen, result: await conform(target, { ...options, transport: send, onExchange, requirePower: 100 }) };
  } finally {
    await close();
  }
}

it.each([[{}], [{ heartbeat: { intervalBeatsMin: 25 } }]])(
  'with %j a heartbeat one beat too early is named',
  async (own) => {
    const { seen } = await ran('heartbeat/too-soon', own);
    const situations = seen.flatMap(({ endpoint, situation }) => (endpoint.endsWith('/heartbeat') ? [situation] : []));
    const reasonsAt = (fact: string) => [
      ...new Set(situations.flatMap((facts) => (facts?.includes(fact) ? [facts[0]] : []))),
    ];
    expect(reasonsAt('own last 10-1')).toEqual(['heartbeat/HEARTBEAT_TOO_SOON']);
    expect(reasonsAt('own last 10')).toEqual(['valid']);
    expect(situations.flat()).toContain('payment_tx confirmed, used for null, tried false');
  },
);

it('a run of one check has a power, by clause too, and less than is required is exit status 2', async () => {
  const { result } = await ran('init/first');
  const { power, clauses } = result;
  expect(power?.noticed).toBeGreaterThan(0);
  expect(power?.noticed).toBeLessThan(power?.of ?? 0);
  const own = clauses.flatMap(({ power: each }) => each ?? []);
  expect(own.reduce((sum, { noticed, of }) => ({ noticed: sum.noticed + noticed, of: sum.of + of }))).toEqual(power);
  expect(result.exit_status).toBe(2);
});
