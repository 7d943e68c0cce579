/**
 * The replicator dynamics of a role-symmetric game (Taylor 1978): shares of options grow as they give more than the mean. Paths from many
 * starts show how much of all mixtures leads to each equilibrium. By Runge and Kutta's method, with exact functions alone.
 */

import { type FlatSurface, type PerOption, placesOf, type Role } from './role-game.js';

/** In units of time in which a payoff difference of the game's whole range grows a share by its e-fold. */
const STEP = 0.5;
const STEPS_MAX = 2_000;
/** A share that moves slower than this has arrived. */
const SPEED_MIN = 1e-8;

/** Where a path from a mixture ends. `settled`: it came to rest; else it still moved after many steps, as on a cycle. */
export function replicatorEnd(
  roles: readonly Role[],
  surface: FlatSurface,
  start: PerOption,
  range: number,
): { readonly end: PerOption; readonly settled: boolean } {
  const places = placesOf(roles);
  const x = Float64Array.from(start.flat());
  const [at, payoffs] = [x.slice(), x.slice()];
  const speeds = [x.slice(), x.slice(), x.slice(), x.slice()] as const;
  /** The speed at x + by · before. */
  const follow = (before: Float64Array, by: number, speed: Float64Array): void => {
    for (let i = 0; i < x.length; i += 1) at[i] = (x[i] as number) + by * (before[i] as number);
    surface(at, payoffs);
    for (let role = 0; role < roles.length; role += 1) {
      const [from, to] = [places[role] as number, places[role + 1] as number];
      let mean = 0;
      for (let i = from; i < to; i += 1) mean += (at[i] as number) * (payoffs[i] as number);
      for (let i = from; i < to; i += 1) speed[i] = ((at[i] as number) * ((payoffs[i] as number) - mean)) / range;
    }
  };
  const [k1, k2, k3, k4] = speeds;
  let settled = false;
  for (let step = 0; step < STEPS_MAX && !settled; step += 1) {
    follow(x, 0, k1);
    settled = k1.every((speed) => Math.abs(speed) < SPEED_MIN);
    follow(k1, STEP / 2, k2);
    follow(k2, STEP / 2, k3);
    follow(k3, STEP, k4);
    for (let i = 0; i < x.length; i += 1) {
      const rise = (k1[i] as number) + 2 * (k2[i] as number) + 2 * (k3[i] as number) + (k4[i] as number);
      x[i] = Math.max(0, (x[i] as number) + (STEP / 6) * rise);
    }
    normalise(x, places);
  }
  return { end: roles.map((_, role) => [...x.subarray(places[role], places[role + 1])]), settled };
}

/** Makes the shares of each role sum to 1 again. */
function normalise(x: Float64Array, places: readonly number[]): void {
  for (let role = 0; role + 1 < places.length; role += 1) {
    const shares = x.subarray(places[role], places[role + 1]);
    const sum = shares.reduce((all, share) => all + share, 0);
    for (let i = 0; i < shares.length; i += 1) shares[i] = (shares[i] as number) / sum;
  }
}
