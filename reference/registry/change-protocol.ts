import type { Overlay } from '../../spec/overlay.js';
import type { Protocol } from '../../spec/protocol.js';
import { feeSplit } from './fee-book.js';
import { baseFees, setFeeTable } from './fee-table.js';
import { ACTIVE, type Registry } from './state.js';
import { createWheel, schedule } from './wheel.js';

/** Numbers that give the state its shape, or by which time is counted: what has happened would read otherwise under others. */
const FIXED = /^(anchor\.|agent\.|heartbeat\.epochBeats$|feeSplit\.yearDays$)/;

/** The paths of an overlay that a registry cannot change once it is in use. */
export function unchangeable(overlay: Overlay): readonly string[] {
  return Object.keys(changesOf(overlay)).filter((path) => FIXED.test(path));
}

/** The numbers of an overlay by their dotted path. */
export function changesOf(overlay: Overlay): Readonly<Record<string, number>> {
  const changes: Record<string, number> = {};
  const walk = (node: object, prefix: string): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'number') changes[prefix + key] = value;
      else if (typeof value === 'object' && value !== null) walk(value, `${prefix}${key}.`);
    }
  };
  walk(overlay, '');
  return changes;
}

/**
 * From now on the registry goes by other numbers; what has happened stays as it is. Agents that have missed more anchors than
 * they now may freeze at the next one. Throws RangeError when a number would change that cannot.
 */
export function changeProtocol(registry: Registry, protocol: Protocol): void {
  const fixed = Object.entries(changesOf(protocol as unknown as Overlay)).filter(
    ([path, value]) => FIXED.test(path) && changesOf(registry.protocol as unknown as Overlay)[path] !== value,
  );
  if (fixed.length > 0) throw new RangeError(`${fixed[0]?.[0]} cannot change once a registry is in use`);
  registry.protocol = protocol;
  registry.feeTable.base = baseFees(protocol, registry.policy.feeOverrides);
  setFeeTable(registry.feeTable, registry.feeTable.table);
  registry.feeBook.protocol = protocol;
  registry.feeBook.split = feeSplit(protocol, registry.feeBook.years);
  reschedule(registry);
}

/** The deadlines of the DMS under a new number of anchors that may be missed. */
function reschedule(registry: Registry): void {
  const { agents, anchorIndex, protocol } = registry;
  registry.wheel = createWheel(protocol.dms.missedAnchorsMax);
  for (let row = 0; row < agents.rows; row++) {
    if (agents.line.status(row) !== ACTIVE) continue;
    const deadline = agents.line.lastSyncAnchor(row) + protocol.dms.missedAnchorsMax + 1;
    schedule(registry.wheel, row, Math.max(deadline, anchorIndex + 1), anchorIndex);
  }
}
