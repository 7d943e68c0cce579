/**
 * `aips tools wallet new | sign`: makes wallets and signs with them, for a client that has no wallet software. It never
 * overwrites a wallet.
 */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Argv, CommandModule } from 'yargs';
import { z } from 'zod';
import { EthereumWallet } from '../../conformance/protocol/ethereum-wallet.js';
import { signingKey } from '../../reference/beats/signing.js';
import { Failure, systemErrorCode } from '../../runs/host/failure.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { parseYaml } from '../../spec/document.js';
import type { Command } from '../flags/command.js';

const keyFile = z.object({
  chain: z.literal('ethereum').optional(),
  address: z.string(),
  public_key_hex: z.string().optional(),
  secret_key_hex: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex characters'),
});

const chains = ['solana', 'ethereum'] as const;

/** A new wallet: of a chain, for the keys that it has there. */
function made(chain: (typeof chains)[number]): z.output<typeof keyFile> {
  const seed = randomBytes(32);
  const secret_key_hex = seed.toString('hex');
  if (chain === 'ethereum') return { chain, address: new EthereumWallet(seed).address, secret_key_hex };
  const { publicKeyBase58: address, publicKeyHex: public_key_hex } = signingKey(seed);
  return { address, public_key_hex, secret_key_hex };
}

const newCommand: CommandModule<object, { file: string | undefined; chain: (typeof chains)[number] }> = {
  command: 'new [file]',
  describe: 'Make a wallet',
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', describe: 'To keep it in, which must not exist; absent: it is printed' })
      .option('chain', { choices: chains, default: 'solana' as const, describe: 'Ed25519, or secp256k1 by EIP-191' }),
  handler: ({ file: out, chain }) => {
    const wallet = made(chain);
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
  describe: 'Sign a text with a wallet: 128 hex characters, or 0x and 130 of an Ethereum wallet',
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'What aips tools wallet new wrote' })
      .positional('message', { type: 'string', describe: 'The text, exactly as it is to be signed' })
      .example('$0 tools wallet sign wallet.json "service-register:$NONCE:$KEY:Ada"', 'phase 2 of a registration'),
  handler: ({ file: key, message }) => {
    const { chain, secret_key_hex } = parsedOrFail(parseYaml(readText(key, 'wallet file'), key, keyFile));
    const secret = Buffer.from(secret_key_hex, 'hex');
    const text = message as string;
    console.log(chain === undefined ? signingKey(secret).signHex(text) : new EthereumWallet(secret).sign(text));
  },
};

/** `aips tools wallet new | sign`. */
export const walletCommand: Command = {
  builder: (args: Argv) =>
    args.command(newCommand).command(signCommand).demandCommand(1, 'Say what to do: new or sign.'),
  handler: () => undefined,
};
