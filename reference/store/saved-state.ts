/**
 * A state as it can be kept: tables of JSON, lists of JSON too long for one text, and columns of numbers. Writing it to a disk is in `snapshot.ts`;
 * the caller defines its content.
 */
import type { AnyColumn } from '../registry/columns/table.js';
import type { Command } from './command.js';

/** A column of numbers of one kind. */
export type Column = AnyColumn;

export interface SavedState {
  /** Small things, by name. */
  readonly tables: Readonly<Record<string, unknown>>;
  /** Lists that grow with the state, by name. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  readonly columns: Readonly<Record<string, Column>>;
}

/** The state that the commands of a journal lead to. */
export interface Replica {
  /** Puts a saved state in the place of the one that is there. */
  readonly load: (saved: SavedState) => void;
  /** Applies a command again. Throws when it is refused. */
  readonly apply: (command: Command) => void;
  /** A digest of the state that the last command may have changed. */
  readonly stateAfter: (command: Command) => string;
  /** A checksum of the columns of the state. */
  readonly columns: () => string;
  readonly save: () => SavedState;
}
