/** Verifies the signatures of Solana and Ethereum wallets. The messages are built in wallet-ownership.ts. */

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { publicKeyOfAddress, verifyEd25519 } from '../beats/signing.js';

/** Whether a Solana address has signed the message, as hex Ed25519. False for a text that is not an address. */
export function verifySolanaSignature(address: string, message: string, signatureHex: string): boolean {
  const publicKeyHex = publicKeyOfAddress(address);
  return publicKeyHex !== undefined && verifyEd25519(publicKeyHex, message, signatureHex);
}

/** `r ‖ s ‖ v` in hex: 65 bytes. */
const EIP191_SIGNATURE = /^0x[0-9a-fA-F]{130}$/;
/** Wallets write the recovery bit as 27 or 28; some leave it at 0 or 1. */
const V_OFFSET = 27;

/**
 * Whether an Ethereum address has signed the message by EIP-191 personal_sign. The signature is `0x` and 65 bytes r ‖ s
 * ‖ v in hex, with v 27 or 28 (or 0 or 1), and s in the lower half (EIP-2), so that a message has one signature.
 * Addresses are compared without regard to case (D-18).
 */
export function verifyEthereumSignature(address: string, message: string, signatureHex: string): boolean {
  if (!EIP191_SIGNATURE.test(signatureHex)) return false;
  const bytes = Buffer.from(signatureHex.slice(2), 'hex');
  const v = bytes[64]!;
  const recovery = v >= V_OFFSET ? v - V_OFFSET : v;
  if (recovery !== 0 && recovery !== 1) return false;
  const text = Buffer.from(message, 'utf8');
  const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]));
  try {
    const signature = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact');
    if (signature.hasHighS()) return false;
    const point = signature.addRecoveryBit(recovery).recoverPublicKey(digest);
    const owner = `0x${Buffer.from(keccak_256(point.toBytes(false).subarray(1)).subarray(12)).toString('hex')}`;
    return owner === address.toLowerCase();
  } catch (error) {
    // noble throws for numbers that are not a signature: zero, out of range, or not of a point on the curve.
    if (error instanceof Error) return false;
    throw error;
  }
}
