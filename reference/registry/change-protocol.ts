/**
 * Changes the protocol's numbers while a registry runs, as a simulated intervention does. Numbers that fix the layout
 * of the state cannot change.
 */

import type { Overlay } from '../../spec/overlay.js';
import { changesOf, unchangeable } from '../../spec/overlay-changes.js';
import type { Protocol } from '../../spec/protocol.js';
import { createWheel, schedule } from './columns/wheel.js';
import { feeSplit } from './fee-book.js';
import { baseFees, setFeeTable } from './fee-table.js';
import { ACTIVE, type Registry } from './state.js';

/**
 * Applies other numbers from now on; the past stays as it is. Agents that have already missed more anchors than the new
 * maximum freeze at the next anchor. Throws a RangeError if a number differs that cannot change.
 */
export function changeProtocol(registry: Registry, protocol: Protocol): void {
  const [wanted, there] = [protocol, registry.protocol].map((numbers) => changesOf(numbers as unknown as Overlay));
  const fixed = unchangeable(protocol as unknown as Overlay).filter((path) => wanted?.[path] !== there?.[path]);
  if (fixed.length > 0) throw new RangeError(`${fixed[0]} cannot change once a registry is in use`);
  registry.protocol = protocol;
  registry.feeTable.base = baseFees(protocol, registry.policy.feeOverrides);
  setFeeTable(registry.feeTable, registry.feeTable.table);
  registry.feeBook.protocol = protocol;
  registry.feeBook.split = feeSplit(protocol, registry.feeBook.years);
  reschedule(registry);
}

/** Rebuilds the wheel of deadlines for the new maximum of missed anchors. */
function reschedule(registry: Registry): void {
  const { agents, anchorIndex, protocol } = registry;
  registry.wheel = createWheel(protocol.dms.missedAnchorsMax);
  for (let row = 0; row < agents.rows; row++) {
    if (agents.line.status(row) !== ACTIVE) continue;
    const deadline = agents.line.lastSyncAnchor(row) + protocol.dms.missedAnchorsMax + 1;
    schedule(registry.wheel, row, Math.max(deadline, anchorIndex + 1), anchorIndex);
  }
}
