// A server on the wall clock of a machine that is suspended, restored and corrected: anchors, freezes and the journal.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';
import { fingerprint } from '../../registry/fingerprint.js';
import { wallClock } from '../request/clock.js';

const ANCHOR_MS = 60_000;
const ANCHORS_MISSED_MAX = 60;

/** Time that passes on both clocks of the machine, and then a step of its wall clock alone. */
const moves = fc.array(
  fc.record({ passMs: fc.integer({ min: 0, max: 90_000 }), stepMs: fc.integer({ min: -7_200_000, max: 7_200_000 }) }),
  { minLength: 1, maxLength: 12 },
);

it('[dms.freeze] every anchor is issued once, whoever missed too many is frozen, and a restart has the same state', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (drawn) => {
      const machine = { monotonicMs: 0, wallMs: GENESIS_MS };
      const sources = { monotonicMs: () => machine.monotonicMs, wallMs: () => machine.wallMs };
      const clock = wallClock(GENESIS_MS, { sources });
      const deployment = await Deployment.start({ clock, policy: { beatsRequired: false } });
      const { api_key: key, hash } = (await deployment.call('POST /register', { name: 'Ada' })).body;
      await deployment.call('POST /agent/init', {}, key);
      let [lastMs, aliveAt] = [GENESIS_MS, 0];
      for (const { passMs, stepMs } of drawn) {
        machine.monotonicMs += passMs;
        machine.wallMs += passMs + stepMs;
        const { anchor } = (await deployment.call('GET beats:/beat/anchor')).body;
        const nowMs = clock.nowMs();
        expect(nowMs).toBeGreaterThanOrEqual(Math.max(lastMs, machine.wallMs));
        expect(anchor.beat_index).toBe(Math.floor((nowMs - GENESIS_MS) / ANCHOR_MS));
        const shown = (await deployment.call(`GET /status/${hash}`)).body;
        const missed = anchor.beat_index - aliveAt;
        expect(shown.beat_state.status).toBe(missed > ANCHORS_MISSED_MAX ? 'frozen' : 'active');
        if (missed > ANCHORS_MISSED_MAX) {
          expect((await deployment.call('POST /agent/resync', {}, key)).status).toBe(200);
          aliveAt = anchor.beat_index;
        }
        lastMs = nowMs;
      }
      // Anchors that nobody has asked about come due before the server stops.
      machine.monotonicMs += 2 * ANCHOR_MS;
      machine.wallMs += 2 * ANCHOR_MS;
      await deployment.close();
      const again = await Deployment.start({
        commands: deployment.commands,
        policy: { beatsRequired: false },
      });
      expect(fingerprint(again.host.service.registry)).toBe(fingerprint(deployment.host.service.registry));
      await again.close();
    }),
    { numRuns: 8 },
  );
});
