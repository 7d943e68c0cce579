/**
 * The store as the way of a request sees it: commands are recorded, and no reply is sent before everything that it may
 * have seen is on the disk. How commands are kept is in server/journal-keeper.ts.
 */

import { refuse } from '../../registry/refusal.js';
import type { Command } from '../../store/command.js';

/** Keeps accepted commands on the disk. */
export interface Keeper {
  /** Records a command that has just been applied; does nothing after the disk has failed. */
  readonly record: (command: Command) => void;
  /** Whether everything recorded is on the disk: undefined if it is now, false if the disk has failed. */
  readonly settled: () => Promise<boolean> | undefined;
}

/** The answer to every request after the disk has failed. Any other answer might not be true after a restart. */
export const storeUnavailable = refuse('any/STORE_UNAVAILABLE');

/** Whether everything that a reply may have seen is on the disk. */
export async function isDurable({ keeper }: { readonly keeper?: Keeper }): Promise<boolean> {
  return (await keeper?.settled()) ?? true;
}
