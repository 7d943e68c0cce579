/** Changes numbers of the protocol in the middle of a run. Overlays at the start belong to the scenario. */

import { changeProtocol } from '../../reference/registry/change-protocol.js';
import { type Overlay, withOverlay } from '../../spec/overlay.js';
import { retryAllWaiting } from '../agents/retry.js';
import type { World } from '../world/world.js';

/** Lays an overlay over the protocol from this second on. RangeError for a number that cannot change during a run. */
export function changeWorldProtocol(world: World, overlay: Overlay): void {
  const { registry } = world;
  changeProtocol(registry, withOverlay(overlay, registry.protocol));
  world.protocolChangedAtAnchor = registry.anchorIndex;
  retryAllWaiting(world);
}
