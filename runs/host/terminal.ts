/** Standard output and standard error of every command: whether they show colours, and that no text from outside acts on them. */

import { format } from 'node:util';
import picocolors from 'picocolors';

/** True for a terminal, unless NO_COLOR, --no-color or TERM=dumb asks for no colour. */
export const colour: boolean = process.stdout.isTTY === true && picocolors.isColorSupported;

/**
 * From now on, shows everything that a command prints by `shown`: it may quote a file or a server. A progress bar moves the cursor, and
 * writes to standard error itself.
 */
export function guardOutput(shown: (text: string) => string): void {
  const { log, error } = console;
  const { write } = process.stdout;
  console.log = (...words: unknown[]) => log('%s', shown(format(...words)));
  console.error = (...words: unknown[]) => error('%s', shown(format(...words)));
  process.stdout.write = ((text: string | Uint8Array, ...rest: never[]) => {
    return write.call(process.stdout, typeof text === 'string' ? shown(text) : text, ...rest);
  }) as typeof write;
}
