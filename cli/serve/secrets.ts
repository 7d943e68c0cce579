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
type SecretFlags = { readonly [Flag in Secret | `${Secret}-file`]?: string | undefined };

/** The flags that name files with secrets. */
export const secretFileFlags = {
  'control-token-file': { type: 'string', describe: 'File with it; or the variable AIPS_CONTROL_TOKEN' },
  'registration-secret-file': { type: 'string', describe: 'File with it; or the variable AIPS_REGISTRATION_SECRET' },
  'rpc-url-file': { type: 'string', describe: 'File with it; or the variable AIPS_RPC_URL' },
} as const;

/** A secret from its flag, its file, or else the environment; undefined without any. */
export function readSecret(
  name: Secret,
  flags: SecretFlags,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const [given, file] = [flags[name], flags[`${name}-file`]];
  if (given !== undefined && file !== undefined)
    throw new Failure(`--${name} and --${name}-file both give the same secret. Leave one out.`);
  if (given !== undefined) return given;
  const variable = variables[name];
  const [text, source] = file === undefined ? [environment[variable], variable] : [readText(file, name), file];
  if (text === undefined) return undefined;
  // Editors and echo end a file with a line break.
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '' || /[\r\n]/.test(secret)) throw new Failure(`${source} must hold the ${name} on one line.`);
  return secret;
}
