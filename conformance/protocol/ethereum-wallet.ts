/** An Ethereum wallet of the suite. It signs texts by EIP-191, and sends no transactions. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { ethereumAddress, personalDigest, V_OFFSET } from '../../model/reading/wallet-proof.js';
import type { Signed } from '../../results/conformance-result.js';

/** EIP-55: converts an address (`0x` and lower-case hex) to mixed case, which is its checksum. */
export function checksummed(address: string): string {
  const digits = address.slice(2);
  const digest = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const shown = [...digits].map((digit, place) =>
    Number.parseInt(digest.charAt(place), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${shown.join('')}`;
}

/** Whether 32 bytes are a valid secret: a number of at least 1 and below the order of the curve. */
export function isEthereumSecret(secret: Uint8Array): boolean {
  return secp256k1.utils.isValidSecretKey(secret);
}

/** An Ethereum wallet: a secp256k1 key pair, and its address in lower-case hex. */
export class EthereumWallet {
  readonly address: string;
  readonly #secret: Uint8Array;

  /** `secret`: 32 bytes, a number below the curve's order (as all but one in 2^128 are). `onSigned`: called with each signed text. */
  constructor(
    secret: Uint8Array,
    readonly onSigned?: (signed: Signed) => void,
  ) {
    this.#secret = secret;
    this.address = ethereumAddress(secp256k1.getPublicKey(secret, false));
  }

  /** Signs the UTF-8 bytes of a text by EIP-191 (personal_sign). Returns `0x` and r, s and v in hex. */
  sign(text: string): string {
    const signed = secp256k1.sign(personalDigest(text), this.#secret, { prehash: false, format: 'recovered' });
    const [recovery = 0] = signed;
    const signature = `0x${bytesToHex(signed.subarray(1))}${(recovery + V_OFFSET).toString(16)}`;
    this.onSigned?.({ signature, text, wallet: { chain: 'ethereum', address: this.address } });
    return signature;
  }
}
