// The model next to the checks: whole runs of the suite against the reference in this process.
import { expect, it } from 'vitest';
import { type Dialect, dialects, protocolOf } from '../../spec/dialect.js';
import { withOverlay } from '../../spec/overlay.js';
import {
  expectNothingAgainstChaos,
  expectNothingAgainstSettings,
  settings,
} from '../../test/fixtures/model-traffic.js';
import { CHEAP, cheap, type Deployment, loadReference, startInProcess } from '../in-process/reference.js';
import { conform, runSuite } from './runner.js';

/** The share of the exchanges of a clause that may leave it open. */
const OPEN_MAX = 0.85;

it.each<[Deployment, number, Dialect]>([
  ['devnet', 11, dialects.service],
  ['mainnet', 12, dialects.service],
  ['free', 13, dialects.provenonce],
])(
  'has evidence of most clauses of a run on %s of seed %d, and none against any',
  async (deployment, seed, dialect) => {
    const numbers = protocolOf(dialect, CHEAP);
    const { target, send, close } = startInProcess(await loadReference(), { seed, numbers, deployment, dialect });
    try {
      const options = { seed, transport: send, toolVersion: 'test', nowWallMs: Date.now };
      const { traffic } = await runSuite(target, options);
      if (traffic === undefined) throw new Error('the model saw nothing');
      expect(
        Object.values(traffic.runs)
          .flat()
          .filter(({ ok }) => !ok),
      ).toEqual([]);
      // A share that falls shows that something makes the model leave open what it could judge.
      expect(traffic.model.judged / traffic.model.exchanges).toBeGreaterThan(0.6);
      // A clause that is left open more often is hardly judged.
      const open = Object.entries(traffic.clauses).filter(([, each]) => each.open / (each.pass + each.open) > OPEN_MAX);
      expect(open).toEqual([]);
      const judged = Object.values(traffic.clauses).filter((clause) => clause.pass > 0);
      expect(judged.length).toBeGreaterThan(420);
    } finally {
      await close();
    }
  },
);

// Each setting alone is for the night.
it.each([0, 1])(
  'has nothing against a server whose dialect has half of the settings, from the one at place %i',
  async (from) => {
    await expectNothingAgainstSettings(settings.filter((_, place) => place % 2 === from));
  },
);

it('has no must evidence against a permitted server', async () => {
  await expectNothingAgainstChaos(11);
});

it('learns a longer interval between heartbeats, which a server may configure', async () => {
  const numbers = withOverlay({ ...CHEAP, heartbeat: { intervalBeatsMin: 12 } });
  const { target, send, close } = startInProcess(await loadReference(), { seed: 5, numbers, held: cheap });
  try {
    const only = ['heartbeat/*', 'sponsor/*', 'checkin/*'];
    const { findings, checks } = await conform(target, {
      seed: 5,
      transport: send,
      toolVersion: 'test',
      nowWallMs: Date.now,
      only,
    });
    expect(findings.filter(({ level }) => level === 'must')).toEqual([]);
    expect(checks.some((check) => 'reason' in check && check.reason.includes('intervalBeatsMin: 12'))).toBe(true);
  } finally {
    await close();
  }
});
