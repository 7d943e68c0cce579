/**
 * Credited beats that spawn authorizations reserve until they are used or expire (D-31). Beats are credited in
 * beats-submit.ts.
 */

import type { Reservation } from './columns/records.js';
import type { Registry } from './state.js';

/**
 * D-31: beats that unexpired authorizations of a parent reserve now. An authorization is valid through its last
 * millisecond.
 */
function reservedBeats(registry: Registry, parent: number, nowMs: number): number {
  let beats = 0;
  for (const each of registry.reservations.get(parent) ?? []) if (nowMs <= each.expiresAtMs) beats += each.beats;
  return beats;
}

/** D-31: the credited beats that an agent can spend on a child: those that no authorization reserves. */
export function spendableBeats(registry: Registry, agent: number, nowMs: number): number {
  const credited = registry.agents.columns.availableBeats[agent]!;
  return registry.reservations.size === 0 ? credited : credited - reservedBeats(registry, agent, nowMs);
}

/** Reserves beats for an authorization. */
export function reserve(registry: Registry, parent: number, reservation: Reservation): void {
  const held = registry.reservations.get(parent);
  if (held === undefined) registry.reservations.set(parent, [reservation]);
  else held.push(reservation);
}

/** Ends the reservation of an authorization and returns its beats; 0 if the authorization was paid by a receipt. */
export function endReservation(registry: Registry, parent: number, authorization: string): number {
  const held = registry.reservations.get(parent) ?? [];
  const found = held.find((each) => each.authorization === authorization);
  if (found === undefined) return 0;
  keep(
    registry,
    parent,
    held.filter((each) => each !== found),
  );
  return found.beats;
}

/** Forgets expired reservations; they have not counted since they expired. */
export function purgeReservations(registry: Registry, nowMs: number): void {
  for (const [parent, held] of registry.reservations) {
    if (held.some((each) => each.expiresAtMs < nowMs)) {
      keep(
        registry,
        parent,
        held.filter((each) => nowMs <= each.expiresAtMs),
      );
    }
  }
}

function keep(registry: Registry, parent: number, held: Reservation[]): void {
  if (held.length === 0) registry.reservations.delete(parent);
  else registry.reservations.set(parent, held);
}
