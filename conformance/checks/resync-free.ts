/** The check of resync while BEATS_REQUIRED is false (D-35). */
import { resync } from '../moves/resync.js';
import { beatsFreeOnly } from '../steps/policies.js';
import { fewest, frozen } from '../steps/resync-call.js';
import { untilFrozen } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';

const free: WrittenCheck = {
  id: 'resync/free',
  title: 'While BEATS_REQUIRED is false an empty body reactivates a frozen agent, and only a frozen one',
  needs: ['clock'],
  unsuitableFor: beatsFreeOnly,
  waits: untilFrozen(),
  async run(t) {
    const asleep = await frozen(t, fewest(t));
    const awake = await t.root({ init: true });
    await t.send(resync(awake));
    t.accepted(await t.send(resync(asleep)), 'resync.free');
    await t.call('init', { key: asleep.key });
  },
};

export const resyncFreeChecks: readonly WrittenCheck[] = [free];
