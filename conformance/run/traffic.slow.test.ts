// The model next to the checks: whole runs of the suite against the reference in this process.
import { expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { withOverlay } from '../../spec/overlay.js';
import {
  expectMostJudged,
  expectNothingAgainstChaos,
  expectNothingAgainstSettings,
  settings,
} from '../../test/fixtures/model-traffic.js';
import { CHEAP, cheap, loadReference, startInProcess } from '../in-process/reference.js';
import { conform } from './runner.js';

// Other deployments, for which `aips conform self` has nothing against the reference either, are for the night.
it('has evidence of most clauses of a whole run, and none against any', async () => {
  await expectMostJudged('devnet', 11, dialects.service);
});

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
