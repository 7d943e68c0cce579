/**
 * `aips tools wallet new | sign`: makes wallets and signs with them, for a client that has no wallet software. It never
 * overwrites a wallet.
 */

import { randomBytes } from 'node:crypto';
import type { Argv, CommandModule } from 'yargs';
import { EthereumWallet } from '../../conformance/protocol/ethereum-wallet.js';
import { readWallet } from '../../conformance/target/key-file.js';
import { signingKey } from '../../reference/beats/signing.js';
import { Failure } from '../../runs/host/failure.js';
import { readText, refuseDeepJson, writeSecret } from '../../runs/host/files.js';
import type { Command } from '../flags/command.js';

const chains = ['solana', 'ethereum'] as const;

/** A new wallet: of a chain, for the keys that it has there. */
function made(chain: (typeof chains)[number]): Readonly<Record<string, string>> {
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
    // A wallet is never overwritten: its old key would be lost.
    if (!writeSecret(out, text))
      throw new Failure(`${out}: exists already, and a wallet is never overwritten. Choose another file.`);
    console.log(wallet.address);
  },
};

const signCommand: CommandModule<object, { file: string; message: string | undefined }> = {
  command: 'sign <file> <message>',
  describe: 'Sign a text with a wallet: 128 hex characters, or 0x and 130 of an Ethereum wallet',
  builder: (args: Argv) =>
    args
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'What aips tools wallet new or solana-keygen wrote',
      })
      .positional('message', { type: 'string', describe: 'The text, exactly as it is to be signed' })
      .example('$0 tools wallet sign wallet.json "service-register:$NONCE:$KEY:Ada"', 'phase 2 of a registration'),
  handler: ({ file: key, message }) => {
    const text = readText(key, 'wallet file');
    refuseDeepJson(text, key);
    const wallet = readWallet(text);
    if (typeof wallet === 'string') throw new Failure(`${key}: ${wallet}.`);
    console.log(wallet.sign(message as string));
  },
};

/** `aips tools wallet new | sign`. */
export const walletCommand: Command = {
  builder: (args: Argv) =>
    args.command(newCommand).command(signCommand).demandCommand(1, 'Say what to do: new or sign.'),
  handler: () => undefined,
};
