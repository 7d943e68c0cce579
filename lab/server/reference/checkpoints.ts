/**
 * States of the past from which later moments are made. Their memory is bounded: the one whose neighbours are closest to each other goes first,
 * so that those that stay are spread evenly over all commands. It does not decide when a state is taken.
 */

import { type KeptState, type Piece, piecesOf } from './kept-state.js';

/** A state after some commands. */
interface Checkpoint {
  readonly atMs: number;
  /** How many commands had been accepted. */
  readonly commands: number;
  readonly state: KeptState;
}

export class Checkpoints {
  readonly #bytesMax: number;
  #all: Checkpoint[] = [];
  /** How many checkpoints have a piece. */
  readonly #holders = new Map<Piece, number>();
  #bytes = 0;

  /** `bytesMax`: roughly the memory of all of them; the first and the last stay, whatever they take. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Roughly the memory that they take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of commands before each, the earliest first. */
  get commands(): readonly number[] {
    return this.#all.map(({ commands }) => commands);
  }

  get first(): Checkpoint | undefined {
    return this.#all[0];
  }

  get last(): Checkpoint | undefined {
    return this.#all.at(-1);
  }

  /** Adds one that is later than all others. */
  add(checkpoint: Checkpoint): void {
    this.#all.push(checkpoint);
    for (const piece of piecesOf(checkpoint.state)) {
      const holders = this.#holders.get(piece) ?? 0;
      this.#holders.set(piece, holders + 1);
      if (holders === 0) this.#bytes += piece.bytes;
    }
    while (this.#bytes > this.#bytesMax && this.#all.length > 2) this.#drop(this.#mostCrowded());
  }

  /** The latest one that is not after a moment. */
  before(atMs: number): Checkpoint | undefined {
    return this.#all.findLast((each) => each.atMs <= atMs);
  }

  /** Drops those before the first one with at least this many commands, and returns that one; drops none where no such one exists. */
  dropBefore(commands: number): Checkpoint | undefined {
    const first = this.#all.findIndex((each) => each.commands >= commands);
    for (let at = 0; at < first; at += 1) this.#drop(0);
    return first < 0 ? undefined : this.#all[0];
  }

  /** The place, neither the first nor the last, whose neighbours have the fewest commands between them. */
  #mostCrowded(): number {
    let best = 1;
    for (let at = 2; at < this.#all.length - 1; at += 1) if (this.#between(at) < this.#between(best)) best = at;
    return best;
  }

  #between(at: number): number {
    return (this.#all[at + 1]?.commands ?? 0) - (this.#all[at - 1]?.commands ?? 0);
  }

  #drop(at: number): void {
    for (const { state } of this.#all.splice(at, 1))
      for (const piece of piecesOf(state)) {
        const holders = (this.#holders.get(piece) ?? 0) - 1;
        if (holders > 0) this.#holders.set(piece, holders);
        else {
          this.#holders.delete(piece);
          this.#bytes -= piece.bytes;
        }
      }
  }
}
