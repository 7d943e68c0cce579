// The model next to single checks, in dialects that a user may write (D-57) and of a target that names fields otherwise.
import { expect, it } from 'vitest';
import { type Dialect, dialects, protocolOf } from '../../spec/dialect.js';
import type { DialectSettings } from '../../spec/dialect-settings.js';
import { allChecks } from '../checks/index.js';
import { CHEAP, loadReference, startInProcess } from '../in-process/reference.js';
import type { TrafficSeen } from '../judge/record.js';
import type { Target } from '../target/target.js';
import type { Transport } from '../wire/transport.js';
import { runSuite } from './runner.js';

const { service } = dialects;
/** A dialect that a user writes: the service's with some settings, under names of its own. */
const own = (more: DialectSettings): Dialect => ({ ...service, name: 'own', messagePrefix: 'own', ...more });

/** Changes the body of a reply. */
type Rewrite = (body: string) => string;

/** Runs one check next to the model, against a server of a dialect. `more`: the numbers that the suite judges it by, if they differ. */
async function seen(
  served: Dialect,
  id: string,
  more: Partial<Target> = {},
  rewrite: Rewrite = (body) => body,
): Promise<TrafficSeen> {
  const numbers = protocolOf(served, CHEAP);
  const { target, send, close } = startInProcess(await loadReference(), { seed: 3, numbers, dialect: served });
  try {
    const transport: Transport = async (request) => {
      const reply = await send(request);
      return { ...reply, body: rewrite(reply.body) };
    };
    const options = {
      seed: 3,
      transport,
      toolVersion: 'test',
      nowWallMs: Date.now,
      checks: allChecks.filter((check) => check.id === id),
    };
    const { traffic } = await runSuite({ ...target, ...more }, options);
    if (traffic === undefined) throw new Error('the model saw nothing');
    return traffic;
  } finally {
    await close();
  }
}

const against = ({ runs }: TrafficSeen): readonly string[] =>
  Object.values(runs).flatMap((list) => list.flatMap(({ ok, clauses }) => (ok ? [] : clauses)));

it.each<[DialectSettings, string, string]>([
  [{ nameCharacters: 'a-z ' }, 'dialect/name-characters', 'dialect.name.characters'],
  [{ difficulty: 'clamped' }, 'dialect/beat-verify-difficulty', 'dialect.difficulty.beat-verify'],
  [{ workProofChecks: 'shown-beats' }, 'dialect/work-proof-checks', 'dialect.work-proof.checks'],
  [{ spawnCost: 'doubles' }, 'spawn/cost-siblings', 'dialect.spawn.cost'],
  [{ numbers: { agent: { depthMax: 1 } } }, 'dialect/agent-depth', 'dialect.agent.depth'],
])('sees whether a server has %j', async (settings, id, clause) => {
  const dialect = own(settings);
  const kept = await seen(dialect, id);
  expect(against(kept)).toEqual([]);
  expect(kept.clauses[clause]?.pass).toBeGreaterThan(0);
  const protocol = protocolOf(dialect, CHEAP);
  expect(against(await seen(service, id, { dialect, protocol }))).toContain(clause);
  const without = await seen(service, id);
  expect(without.clauses[clause]).toBeUndefined();
});

it('reads the fields of a target under the names that it has', async () => {
  const reply =
    (change: number): Rewrite =>
    (body) =>
      body.replace(/"next_child_cost":(\d+)/, (_, cost) => `"price_of_child":${Number(cost) + change}`);
  const shapes = { 'beat-status': { 'gestation.next_child_cost': 'gestation.price_of_child' } };
  const clause = 'beat-status.reply.gestation';
  const look = (change: number): Promise<TrafficSeen> => seen(service, 'beat-status/reply', { shapes }, reply(change));
  expect(against(await look(0))).toEqual([]);
  expect(against(await look(1))).toContain(clause);
});
