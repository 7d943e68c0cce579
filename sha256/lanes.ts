/**
 * Hashes many chains with the kernels that are fastest: as many side by side as there are lanes, and the next as soon as
 * one ends. It gets the kernels (kernels.ts), and knows no clock and no thread.
 */

import type { Fastest, OneShotHash } from './kernels.js';

/** A chain of runs. A run is the hash of a text, and then `steps` steps, each the hash of the hash before. */
export interface Chain {
  readonly steps: number;
  /** The text of the next run; undefined at the end. `last`: the hash at the end of the run before, at first empty. */
  readonly next: (last: string) => string | undefined;
}

/** Chains that are being hashed. */
interface Lanes {
  /** Adds a chain; it takes a lane when one is free, in the order of the calls. */
  readonly add: (chain: Chain) => void;
  /** Makes about `hashes` hashes. False once no chain is left. */
  readonly run: (hashes: number) => boolean;
}

/**
 * Lanes without chains yet. Where fewer chains are left than lanes, the kernel for one chain may be the faster.
 *
 * Worker threads run the text of this function (`LANES_TEXT`), so it uses nothing but its arguments.
 */
export function startLanes({ one, many }: Fastest, hashOf: OneShotHash): Lanes {
  interface Lane {
    readonly chain: Chain;
    hash: string;
    left: number;
  }
  const waiting: Chain[] = [];
  const active: Lane[] = [];
  /** Begins the next run of a lane. False if its chain has ended. */
  const begin = (lane: Lane): boolean => {
    const text = lane.chain.next(lane.hash);
    if (text === undefined) return false;
    lane.hash = hashOf('sha256', text, 'hex');
    lane.left = lane.chain.steps;
    return true;
  };
  const fill = (): void => {
    while (active.length < many.kernel.lanes) {
      const chain = waiting.shift();
      if (chain === undefined) return;
      const lane: Lane = { chain, hash: '', left: 0 };
      if (begin(lane)) active.push(lane);
    }
  };
  return {
    add: (chain) => {
      waiting.push(chain);
    },
    run: (hashes) => {
      let made = 0;
      for (fill(); active.length > 0 && made < hashes; fill()) {
        const { kernel, hashesPerMs } = many;
        const together = (active.length / kernel.lanes) * hashesPerMs >= one.hashesPerMs;
        const chosen = together ? [...active] : active.slice(0, 1);
        const steps = Math.min(Math.ceil((hashes - made) / chosen.length), ...chosen.map(({ left }) => left));
        const advanced = (together ? kernel : one.kernel).advance(
          chosen.map(({ hash }) => hash),
          steps,
        );
        for (const [i, lane] of chosen.entries()) {
          lane.hash = advanced[i] as string;
          lane.left -= steps;
          if (lane.left === 0 && !begin(lane)) active.splice(active.indexOf(lane), 1);
        }
        made += (steps + 1) * chosen.length;
      }
      return active.length > 0;
    },
  };
}

/** The text of `startLanes`, for the program of a thread. */
export const LANES_TEXT = String(startLanes);
