/** Reads a wallet from a key file of the Solana command line or of `aips tools wallet new`. Other settings of a target are in target.ts. */
import { z } from 'zod';
import { LEVELS_MAX, tooDeep } from '../../spec/document.js';
import { isObject, jsonDeeperAt, jsonOf } from '../../spec/formats.js';
import { EthereumWallet, isEthereumSecret } from '../protocol/ethereum-wallet.js';
import { Wallet } from '../protocol/wallet.js';

const byte = z.int().min(0).max(255);
/** The form of the Solana command line: 32 bytes of the secret, then 32 of the public key. */
const solanaFile = z.array(byte).length(64);
/** The form of `aips tools wallet new`. */
const ownFile = z.looseObject({
  chain: z.enum(['solana', 'ethereum']).default('solana'),
  address: z.string().optional(),
  public_key_hex: z.string().optional(),
  secret_key_hex: z.string().regex(/^[0-9a-f]{64}$/),
});

const OTHER_KEY = 'holds a public key that does not match its secret';
const OTHER_ADDRESS = 'holds an address that does not match its secret';

/** Reads a Solana wallet. Returns a message if the file is invalid. */
export function readKeyFile(text: string): Wallet | string {
  const wallet = readWallet(text);
  return wallet instanceof EthereumWallet ? 'is of an Ethereum wallet, but a Solana wallet is needed' : wallet;
}

/** Reads a wallet with a public key and an address that match its secret. Returns a message if the file is invalid. */
export function readWallet(text: string): Wallet | EthereumWallet | string {
  if (jsonDeeperAt(text, LEVELS_MAX) !== undefined) return tooDeep(LEVELS_MAX);
  const json = jsonOf(text);
  if (json === undefined) return 'is not JSON: a key file holds 64 numbers, as solana-keygen writes them';
  if (isObject(json) && Object.hasOwn(json, 'secret_key_hex')) return ownWallet(json);
  const numbers = solanaFile.safeParse(json);
  if (!numbers.success) return 'does not hold 64 numbers from 0 to 255, as solana-keygen writes them';
  const wallet = new Wallet(Uint8Array.from(numbers.data.slice(0, 32)));
  const publicKey = Buffer.from(numbers.data.slice(32)).toString('hex');
  return wallet.publicKeyHex === publicKey ? wallet : OTHER_KEY;
}

function ownWallet(json: object): Wallet | EthereumWallet | string {
  const read = ownFile.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    return `is not as aips tools wallet new writes it: ${issue?.path.join('.')}: ${issue?.message}`;
  }
  const { chain, address, public_key_hex: publicKeyHex, secret_key_hex: secretHex } = read.data;
  const secret = Buffer.from(secretHex, 'hex');
  if (chain === 'ethereum') {
    if (!isEthereumSecret(secret)) return 'holds no valid secret of an Ethereum wallet: the number is out of range';
    const wallet = new EthereumWallet(secret);
    if (publicKeyHex !== undefined) return 'holds a public key, but the file of an Ethereum wallet must not have one';
    return address === undefined || address.toLowerCase() === wallet.address ? wallet : OTHER_ADDRESS;
  }
  const wallet = new Wallet(secret);
  if (publicKeyHex !== undefined && publicKeyHex.toLowerCase() !== wallet.publicKeyHex) return OTHER_KEY;
  return address === undefined || address === wallet.address ? wallet : OTHER_ADDRESS;
}
