// A run as it is seen from outside: states of clauses while it goes on, and its exchanges afterwards, without secrets.
import { expect, it } from 'vitest';
import { withOverlay } from '../../spec/overlay.js';
import { CHEAP, cheap, loadReference, startInProcess } from '../in-process/reference.js';
import type { LiveRun, StateSoFar } from './live-run.js';
import { conform } from './runner.js';

const CHECK = 'heartbeat/own-wallet';
const CLAUSE = 'heartbeat.sender.own';

/** A run of a check against a reference with another fee, and what was seen of it when its check ended. */
async function watchedRun() {
  const numbers = withOverlay({ ...CHEAP, heartbeat: { tier1FeeLamports: 600_000 } });
  const server = startInProcess(await loadReference(), { seed: 1, numbers, held: cheap });
  let live: LiveRun | undefined;
  const states: (readonly StateSoFar[])[] = [];
  const met: (readonly [check: string, place: () => number])[] = [];
  const result = await conform(server.target, {
    ...{ seed: 1, toolVersion: 'test', nowWallMs: Date.now, only: [CHECK], transport: server.send },
    onLive: (run) => {
      live = run;
    },
    onResult: () => states.push(live?.states() ?? []),
    onDeviation: (_, check, place) => met.push([check, place]),
  });
  await server.close();
  if (live === undefined) throw new Error('the run was not shown');
  return { live, result, states, met };
}

it('has the state of each clause while it goes on, and every exchange afterwards', async () => {
  const { live, result, states, met } = await watchedRun();
  const at = result.clauses.findIndex(({ id }) => id === CLAUSE);
  expect(states[0]?.[at]).toBe('fails');
  expect(states[0]).toHaveLength(result.clauses.length);
  expect(states[0]?.filter((state) => state === 'holds').length).toBeGreaterThan(20);
  expect(live.states()).toEqual([]);
  const [check] = result.checks;
  expect(live.transcriptOf(CHECK)).toEqual(check?.transcript);
  const requests = live.requestsOf(CHECK);
  const wrong = requests.filter(({ against }) => against > 0);
  expect(wrong[0]).toMatchObject({ method: 'POST', path: '/api/v1/agent/heartbeat', status: 400 });
  expect(met.map(([id, place]) => [id, place()])).toContainEqual([CHECK, wrong[0]?.n]);
  const said = live.judgementOf(CHECK, wrong[0]?.n ?? 0);
  expect(said.against[0]).toMatchObject({ ok: false, expected: 'accepted', actual: '400 PAYMENT_INVALID' });
  expect(said.against[0]?.clauses).toContain(CLAUSE);
  const register = requests.find(({ path }) => path === '/api/v1/register');
  expect(live.judgementOf(CHECK, register?.n ?? 0).shows).toContain('register.route');
  expect(live.requestsOf(CHECK, 2)).toEqual(requests.slice(-2));
});

it('shows no secret, and nothing of a check that has not begun', async () => {
  const { live, result } = await watchedRun();
  const shown = JSON.stringify([live.transcriptOf(CHECK), live.requestsOf(CHECK), live.judgementOf(CHECK, 1)]);
  expect(shown).toContain('[API_KEY_1]');
  expect(shown).not.toMatch(/"api_key":"(?!\[)/);
  expect(live.has('status/nothing')).toBe(false);
  expect(live.transcriptOf('status/nothing')).toEqual([]);
  expect(live.judgementOf(CHECK, 999)).toEqual({ shows: [], against: [], open: [] });
  expect(result.exit_status).toBe(1);
});
