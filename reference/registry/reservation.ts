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
  const reservations = registry.reservations.get(parent);
  if (reservations === undefined) registry.reservations.set(parent, [reservation]);
  else reservations.push(reservation);
}

/** Ends the reservation of an authorization and returns its beats; 0 if the authorization was paid by a receipt. */
export function endReservation(registry: Registry, parent: number, authorization: string): number {
  const reservations = registry.reservations.get(parent) ?? [];
  const found = reservations.find((each) => each.authorization === authorization);
  if (found === undefined) return 0;
  setReservations(
    registry,
    parent,
    reservations.filter((each) => each !== found),
  );
  return found.beats;
}

/** Deletes expired reservations, which `spendableBeats` has ignored since they expired. */
export function purgeReservations(registry: Registry, nowMs: number): void {
  for (const [parent, reservations] of registry.reservations) {
    if (reservations.some((each) => each.expiresAtMs < nowMs)) {
      setReservations(
        registry,
        parent,
        reservations.filter((each) => nowMs <= each.expiresAtMs),
      );
    }
  }
}

/** Replaces the reservations of a parent. */
function setReservations(registry: Registry, parent: number, reservations: Reservation[]): void {
  if (reservations.length === 0) registry.reservations.delete(parent);
  else registry.reservations.set(parent, reservations);
}
