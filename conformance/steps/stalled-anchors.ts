/** Stalls the anchors of a target while steps are taken, and ends the stall however they end. */
import type { Trial } from '../trial/trial.js';
import { withCleanup } from './with-cleanup.js';

/** Takes steps while no anchor is issued, for anybody who uses the service. The check declares the control call `anchors/stall`. */
export async function whileAnchorsStall(t: Trial, steps: () => Promise<void>): Promise<void> {
  await t.control('POST anchors/stall', { on: true });
  await withCleanup(steps, async () => {
    await t.control('POST anchors/stall', { on: false });
    // Until the next anchor, lookups call the chain degraded, and other checks would see that.
    await t.sleep({ sec: t.protocol.anchor.intervalSec });
  });
}
