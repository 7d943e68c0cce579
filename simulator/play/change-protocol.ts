import { changeProtocol } from '../../reference/registry/change-protocol.js';
import { type Overlay, withOverlay } from '../../spec/overlay.js';
import type { World } from '../world/world.js';

/** From this second on the world goes by other numbers. Throws RangeError for one that cannot change in the middle of a run. */
export function changeWorldProtocol(world: World, overlay: Overlay): void {
  const { registry } = world;
  changeProtocol(registry, withOverlay(overlay, registry.protocol));
  world.protocolChangedAtAnchor = registry.anchorIndex;
}
