/** Reads a key file of the Solana command line. Other settings of a target are in target.ts. */
import { z } from 'zod';
import { LEVELS_MAX, tooDeep } from '../../spec/document.js';
import { jsonDeeperAt, jsonOf } from '../../spec/formats.js';
import { Wallet } from '../protocol/wallet.js';

const byte = z.int().min(0).max(255);
/** The form that the Solana command line writes: the 32 bytes of the secret, then those of the public key. */
const solanaFile = z.array(byte).length(64);
/** The form that `aips tools wallet new` writes. */
const ownFile = z.looseObject({ secret_key_hex: z.string().regex(/^[0-9a-f]{64}$/) });

/** The wallet of a key file, or what is wrong with the file. */
export function readKeyFile(text: string): Wallet | string {
  if (jsonDeeperAt(text, LEVELS_MAX) !== undefined) return tooDeep(LEVELS_MAX);
  const json = jsonOf(text);
  if (json === undefined) return 'is not JSON: a key file holds 64 numbers, as solana-keygen writes them';
  const own = ownFile.safeParse(json);
  if (own.success) return new Wallet(Buffer.from(own.data.secret_key_hex, 'hex'));
  const numbers = solanaFile.safeParse(json);
  if (!numbers.success) return 'does not hold 64 numbers from 0 to 255, as solana-keygen writes them';
  const wallet = new Wallet(Uint8Array.from(numbers.data.slice(0, 32)));
  const publicKey = Buffer.from(numbers.data.slice(32)).toString('hex');
  return wallet.publicKeyHex === publicKey ? wallet : 'holds a public key that is not that of its secret';
}
