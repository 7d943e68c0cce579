/** The deprecated alias until its last day (9), and the beats at which an agent was registered and got its SIGIL. */

import { isAbsent } from '../../model/reading/field-tests.js';
import { DAY_MS } from '../../spec/time.js';
import { buy, heartbeat, purchase, reissue } from '../steps/paid.js';
import { withCleanup } from '../steps/with-cleanup.js';
import type { WrittenCheck } from '../trial/check.js';

const base = {
  needs: ['payments', 'clock', 'control'],
  exclusive: true,
} as const;

/** The alias and its last day. */
const versioningLineageProof: WrittenCheck = {
  ...base,
  id: 'versioning/lineage-proof',
  title: 'Replies with a passport have lineage_proof until the end of 2026-09-01, and not after it',
  paysOnTime: true,
  controls: ['anchors/stall'],
  async run(t) {
    const { lineageProofUntilMs } = t.protocol.passport;
    await t.control('POST anchors/stall', { on: true });
    await withCleanup(
      async () => {
        const [agent, later] = [
          await t.walletRoot({ sigil: 'narrow_task' }),
          await t.walletRoot({ sigil: 'narrow_task' }),
        ];
        if (t.nowMs() < lineageProofUntilMs - DAY_MS) {
          t.mustSucceed(await heartbeat(t, agent));
          t.mustSucceed(await reissue(t, agent));
          // The day before, the alias is served in every time zone.
          await t.sleep({ ms: lineageProofUntilMs - DAY_MS - t.nowMs() });
          t.mustSucceed(await reissue(t, agent));
        }
        if (t.nowMs() < lineageProofUntilMs) {
          await t.sleep({ ms: lineageProofUntilMs - t.nowMs() });
          // Our reading: a date without a time ends at the end of that day in the last time zone.
          const last = t.mustSucceed(await reissue(t, agent));
          t.shows('passport.alias.until').field(last, 'lineage_proof', last.get('passport'));
          await t.sleep({ ms: 1 });
          const first = t.mustSucceed(await reissue(t, agent));
          t.shows('passport.alias.until').field(first, 'lineage_proof', isAbsent);
          await t.sleep({ ms: DAY_MS });
        }
        t.mustSucceed(await reissue(t, agent));
        t.mustSucceed(await heartbeat(t, later));
      },
      async () => {
        await t.control('POST anchors/stall', { on: false });
      },
    );
  },
};

const versioningAgentAge: WrittenCheck = {
  ...base,
  id: 'versioning/agent-age',
  title: 'registered_at_beat and sigil_issued_at_beat follow the anchors at the time, whenever the chain starts',
  needs: ['payments', 'clock'],
  exclusive: false,
  waits: () => ({ anchors: 5 }),
  async run(t) {
    const agent = await t.walletRoot();
    await t.sleep({ anchors: 3 });
    // 4.4: its chain starts now, later than its registration.
    t.mustSucceed(await t.call('init', { key: agent.key }));
    const bought = t.mustSucceed(await buy(t, agent, purchase(t)));
    const before = bought.number('passport.registered_at_beat');
    t.shows('passport.field.registered-at-beat', 'init.independent').that(
      'registered_at_beat of an agent that started its chain later',
      before < bought.number('sigil.issued_at_beat'),
      'before sigil.issued_at_beat',
      before,
      bought,
    );
    await t.sleep({ anchors: 2 });
    // The agent keeps both beats.
    await reissue(t, agent);
  },
};

export const versioningChecks: readonly WrittenCheck[] = [versioningAgentAge, versioningLineageProof];
