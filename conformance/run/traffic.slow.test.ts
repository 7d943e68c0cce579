// The model next to the checks: runs of the suite against the reference in this process. `.ci/run` judges permitted servers.
import { expect, it } from 'vitest';
import { withOverlay } from '../../spec/overlay.js';
import { expectNothingAgainstSettings, settings } from '../../test/fixtures/model-traffic.js';
import { CHEAP, cheap, loadReference, startInProcess } from '../in-process/reference.js';
import { conform } from './runner.js';

// Each setting alone is for the night, and so are whole runs: plan-kept.slow and `aips conform self` have nothing against the reference either.
it.each([0, 1])(
  'has nothing against a server whose dialect has half of the settings, from the one at place %i',
  async (from) => {
    await expectNothingAgainstSettings(settings.filter((_, place) => place % 2 === from));
  },
);

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
