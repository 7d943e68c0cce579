/**
 * Refuses option values that yargs would silently read as something else. Values that a command refuses for reasons of
 * its own are refused there.
 */

import { Failure } from '../../runs/host/failure.js';

const camelCase = (name: string): string =>
  name.replace(/-([a-z0-9])/g, (_dash, letter: string) => letter.toUpperCase());

/**
 * Refuses what yargs would misread: a switch with a value that is neither true nor false, which would turn it off, and an
 * option without its value, which would get its default or the empty text. `given`: what yargs read.
 */
export function refuseMisreadOptions(argv: readonly string[], given: Readonly<Record<string, unknown>>): void {
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  for (const [index, word] of options.entries()) {
    const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const read = given[camelCase(name)] ?? given[name];
    if (typeof read === 'boolean') {
      if (value !== undefined && value !== 'true' && value !== 'false') {
        throw new Failure(`--${name} takes true or false, or no value for true; "${value}" is neither.`);
      }
    } else if (name !== '' && !name.startsWith('no-')) {
      const next = options[index + 1];
      const valued = value ?? (next?.startsWith('--') ? undefined : next);
      if (valued === undefined || valued === '') throw new Failure(`--${name} needs a value.`);
    }
  }
}

/** Refuses a number that is not a whole one, 1 or more. */
export function requireWhole(value: number, flag: string): void {
  if (!Number.isSafeInteger(value) || value < 1) throw new Failure(`${flag} must be a whole number, 1 or more.`);
}
