/**
 * `aips tools verify-passport FILE`: says offline whether a passport is signed by an authority and valid at a time. It asks no
 * server; it does not decide whether the authority can be trusted.
 */

import { existsSync } from 'node:fs';
import type { Argv } from 'yargs';
import { z } from 'zod';
import { verifyEd25519 } from '../../reference/beats/signing.js';
import { type PassportFields, passportText } from '../../reference/registry/passport.js';
import { oneLine } from '../../results/visible.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { STANDARD_INPUT } from '../../runs/host/input-bytes.js';
import { dialects } from '../../spec/dialect.js';
import { parseYaml } from '../../spec/document.js';
import { signedPassportFields } from '../../spec/endpoints/shared.js';
import { ISO_MS_MAX, isoOf } from '../../spec/formats.js';
import { protocol } from '../../spec/protocol.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';

interface VerifyFlags {
  readonly file: string;
  readonly key: string;
  readonly at: string;
  readonly 'signature-field': string | undefined;
  readonly json: boolean;
}

const KEY_HEX = /^[0-9a-fA-F]{64}$/;
const HOUR_MS = 3_600_000;
/** D-11: the signed fields, in the order in which they are signed. */
const signedFields = signedPassportFields({ protocol, dialect: dialects.service });

/** JavaScript has no date for later moments. */
const instant = z.int().min(0).max(ISO_MS_MAX, 'must be Unix milliseconds before the year 10000');
const passport = z.looseObject({ ...signedFields, issued_at: instant, valid_until: instant });
/** The passport itself, or a reply that holds it. */
const passportFile = z.union([z.looseObject({ passport }), passport]);
/** A reply of the authority-key endpoint. */
const keyFile = z.looseObject({ authority_public_key_hex: z.string().regex(KEY_HEX, 'must be 64 hex characters') });

/** The judgement of a passport. */
interface PassportJudgement {
  readonly valid: boolean;
  /** Why it is not valid; empty when it is. */
  readonly reasons: readonly string[];
  readonly agent_hash: string;
  readonly identity_class: string | null;
  readonly issued_at: string;
  readonly valid_until: string;
}

/** Judges a passport at a time, in Unix ms, by the authority's key. */
export function judgePassport(
  given: z.output<typeof passport>,
  keyHex: string,
  atMs: number,
  signatureNames: readonly string[],
): PassportJudgement {
  const reasons: string[] = [];
  // The text that is signed has its fields in the order of D-11, whatever the order in the file.
  const fields = Object.fromEntries(
    Object.keys(signedFields).map((name) => [name, given[name]]),
  ) as unknown as PassportFields;
  const signatureName = signatureNames.find((name) => Object.hasOwn(given, name));
  const signature = signatureName === undefined ? undefined : given[signatureName];
  if (signature === undefined) reasons.push(`it has no ${signatureNames.join(' or ')}`);
  else if (typeof signature !== 'string' || !verifyEd25519(keyHex, passportText(fields), signature.toLowerCase())) {
    reasons.push('the signature is not that of this key over these fields');
  }
  const unsigned = Object.keys(given).filter((name) => !Object.hasOwn(signedFields, name) && name !== signatureName);
  if (unsigned.length > 0) reasons.push(`it has fields that are not signed: ${unsigned.join(', ')}`);
  const { issued_at, valid_until } = fields;
  if (atMs < issued_at) reasons.push('it is not issued yet');
  if (atMs > valid_until) reasons.push('it has expired');
  if (valid_until - issued_at > protocol.passport.validityHours * HOUR_MS) {
    reasons.push(`it claims to be valid for more than ${protocol.passport.validityHours} hours`);
  }
  const { agent_hash, identity_class } = fields;
  const times = { issued_at: isoOf(issued_at), valid_until: isoOf(valid_until) };
  return { valid: reasons.length === 0, reasons, agent_hash, identity_class, ...times };
}

/** The key itself, or the one in a file. */
function keyOf(given: string): string {
  if (KEY_HEX.test(given)) return given.toLowerCase();
  if (given !== STANDARD_INPUT && !existsSync(given)) {
    throw new Failure(
      `--key ${given}: is neither 64 hex characters nor a file. GET /api/v1/.well-known/authority-key of the registry has it.`,
    );
  }
  const { authority_public_key_hex } = parsedOrFail(parseYaml(readText(given, 'key file'), given, keyFile));
  return authority_public_key_hex.toLowerCase();
}

function timeOf(at: string): number {
  if (at === 'now') return Date.now();
  const ms = /^\d+$/.test(at) ? Number(at) : Date.parse(at);
  if (Number.isSafeInteger(ms)) return ms;
  throw new Failure(`--at ${at}: is not a time. Give Unix milliseconds, a date such as 2026-01-01T00:00:00Z, or now.`);
}

/** `aips tools verify-passport FILE`. */
export const verifyPassportCommand: Command<VerifyFlags> = {
  builder: (args: Argv) =>
    args
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'A passport, or a reply that holds one, as JSON',
      })
      .option('key', {
        type: 'string',
        demandOption: true,
        describe:
          "The authority's public key: 64 hex characters, or a file with the reply of /.well-known/authority-key",
      })
      .option('at', {
        type: 'string',
        default: 'now',
        describe: 'The time at which it must be valid: ISO, Unix ms, or now',
      })
      .option('signature-field', { type: 'string', describe: 'Name of the signature in your own dialect' })
      .options(json)
      .example('$0 tools verify-passport passport.json --key key.json', 'exit status 0: valid; 1: not'),
  handler: ({ file, key, at, 'signature-field': signatureField, json }) => {
    const names =
      signatureField === undefined
        ? Object.values(dialects).map(({ passportSignatureField }) => passportSignatureField)
        : [signatureField];
    const given = parsedOrFail(parseYaml(readText(file, 'passport'), file, passportFile));
    const inner = 'passport' in given ? (given.passport as z.output<typeof passport>) : given;
    const judged = judgePassport(inner as z.output<typeof passport>, keyOf(key), timeOf(at), names);
    if (!judged.valid) process.exitCode = EXIT.unclean;
    if (json) return console.log(JSON.stringify(judged));
    const until = `of ${judged.agent_hash}, ${judged.identity_class ?? 'without a class'}, until ${judged.valid_until}`;
    console.log(oneLine(judged.valid ? `valid: ${until}` : `not valid: ${judged.reasons.join('; ')} (${until})`));
  },
};
