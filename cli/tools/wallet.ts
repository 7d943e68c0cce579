/**
 * `aips tools wallet new | sign`: makes wallets and signs with them, for a client that has no wallet software. It never
 * overwrites a wallet.
 */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Argv, CommandModule } from 'yargs';
import { z } from 'zod';
import { type SigningKey, signingKey } from '../../reference/beats/signing.js';
import { Failure, systemErrorCode } from '../../runs/host/failure.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { parseYaml } from '../../spec/document.js';
import type { Command } from '../flags/command.js';

const keyFile = z.object({
  address: z.string(),
  public_key_hex: z.string(),
  secret_key_hex: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex characters'),
});

function describe(key: SigningKey, seed: Uint8Array): z.output<typeof keyFile> {
  const secret = Buffer.from(seed).toString('hex');
  return { address: key.publicKeyBase58, public_key_hex: key.publicKeyHex, secret_key_hex: secret };
}

const newCommand: CommandModule<object, { file: string | undefined }> = {
  command: 'new [file]',
  describe: 'Make an Ed25519 wallet',
  builder: (args: Argv) =>
    args.positional('file', { type: 'string', describe: 'To keep it in, which must not exist; absent: it is printed' }),
  handler: ({ file: out }) => {
    const seed = randomBytes(32);
    const wallet = describe(signingKey(seed), seed);
    const text = `${JSON.stringify(wallet, null, 2)}\n`;
    if (out === undefined) return console.log(text.trimEnd());
    try {
      // A wallet is never overwritten: its old key would be lost.
      writeFileSync(out, text, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'EEXIST')
        throw new Failure(`${out}: exists already, and a wallet is never overwritten. Choose another file.`);
      if (code === undefined) throw error;
      throw new Failure(`${out}: cannot be written (${code}). Choose another file.`);
    }
    console.log(wallet.address);
  },
};

const signCommand: CommandModule<object, { file: string; message: string | undefined }> = {
  command: 'sign <file> <message>',
  describe: 'Sign a text with a wallet: 128 hex characters',
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'What aips tools wallet new wrote' })
      .positional('message', { type: 'string', describe: 'The text, exactly as it is to be signed' })
      .example('$0 tools wallet sign wallet.json "service-register:$NONCE:$KEY:Ada"', 'phase 2 of a registration'),
  handler: ({ file: key, message }) => {
    const { secret_key_hex } = parsedOrFail(parseYaml(readText(key, 'wallet file'), key, keyFile));
    console.log(signingKey(Buffer.from(secret_key_hex, 'hex')).signHex(message as string));
  },
};

/** `aips tools wallet new | sign`. */
export const walletCommand: Command = {
  builder: (args: Argv) =>
    args.command(newCommand).command(signCommand).demandCommand(1, 'Say what to do: new or sign.'),
  handler: () => undefined,
};
