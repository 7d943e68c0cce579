/**
 * The secrets of `aips serve`. Each can come from a file or from the environment, since every user of a machine can read the
 * command lines of its processes.
 */

import { Failure } from '../../runs/host/failure.js';
import { readText } from '../../runs/host/files.js';

/** The environment variable of each secret. */
const variables = {
  'control-token': 'AIPS_CONTROL_TOKEN',
  'registration-secret': 'AIPS_REGISTRATION_SECRET',
  'rpc-url': 'AIPS_RPC_URL',
} as const;

type Secret = keyof typeof variables;

/** A secret from its option, of which `@FILE` names a file, or else from the environment; undefined without any. */
export function readSecret(
  name: Secret,
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (given !== undefined && !given.startsWith('@')) return given;
  const variable = variables[name];
  const source = given === undefined ? variable : given.slice(1);
  const text = given === undefined ? environment[variable] : readText(source, name);
  if (text === undefined) return undefined;
  // Editors and echo end a file with a line break.
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '' || /[\r\n]/.test(secret)) throw new Failure(`${source} must hold the ${name} on one line.`);
  return secret;
}
