/** Stalls the anchors of a target while steps run, and ends the stall even if they fail. */
import type { Trial } from '../trial/trial.js';
import { withCleanup } from './with-cleanup.js';

/** Runs steps while no anchor is issued for any user of the service. The check declares the control call `anchors/stall`. */
export async function whileAnchorsStall(t: Trial, steps: () => Promise<void>): Promise<void> {
  await t.control('POST anchors/stall', { on: true });
  await withCleanup(steps, async () => {
    await t.control('POST anchors/stall', { on: false });
    // Until the next anchor lookups report the chain as degraded, which would disturb other checks.
    await t.sleep({ sec: t.protocol.anchor.intervalSec });
  });
}
