/** The values of a script of `results/pairs.ts`: references to replies, and what a player makes of its seed. It sends nothing. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { chainHashes } from '../../model/reading/chain.js';
import { at } from '../../model/reading/values.js';
import type { Pair } from '../../results/pairs.js';
import { isObject } from '../../spec/formats.js';

import { Wallet } from '../protocol/wallet.js';

/** A reference has no value: the reply to a step does not have the field. */
export class NoValue extends Error {
  override readonly name = 'NoValue';
}

const REFERENCE = /\$\{([^}]*)\}/g;
const WHOLE = /^\$\{([^}]*)\}$/;

/** The values of one play of a script. `salt`: what it makes follows from it. */
export class Values {
  /** The replies so far, by step. */
  readonly replies: unknown[] = [];
  readonly #wallets = new Map<string, Wallet>();
  readonly #hexes = new Map<string, string>();

  constructor(
    readonly salt: string,
    readonly chains: Pair['chains'],
    readonly difficulty: number,
  ) {}

  /** 32 bytes in hex, the same for each use of a name. */
  hex(name: string): string {
    const made = this.#hexes.get(name) ?? bytesToHex(sha256(utf8ToBytes(`${this.salt}:${name}`)));
    this.#hexes.set(name, made);
    return made;
  }

  /** The values that it has made so far, each with a reference to it. */
  made(): readonly (readonly [value: string, reference: string])[] {
    const wallets = [...this.#wallets].flatMap(([name, { address, publicKeyHex }]) => [
      [address, `wallet.${name}.address`] as const,
      [publicKeyHex, `wallet.${name}.public_key`] as const,
    ]);
    const hexes = [...this.#hexes].flatMap(([name, hex]) => [
      [hex, `hex.${name}`] as const,
      [hex.slice(0, 12), `hex.${name}.12`] as const,
    ]);
    return [...wallets, ...hexes];
  }

  wallet(name: string): Wallet {
    const wallet = this.#wallets.get(name) ?? new Wallet(hexToBytes(this.hex(name)));
    this.#wallets.set(name, wallet);
    return wallet;
  }

  /** The address of a client, one of a private network. */
  address(name: string): string {
    const [one = 0, two = 0, three = 0] = hexToBytes(this.hex(`client ${name}`));
    return `10.${one}.${two}.${three}`;
  }

  /** A JSON value with its references replaced. Throws `NoValue`. */
  filled(value: unknown): unknown {
    if (typeof value === 'string') {
      const [, whole] = WHOLE.exec(value) ?? [];
      return whole === undefined ? this.text(value) : this.#valueOf(whole);
    }
    if (Array.isArray(value)) return value.map((item) => this.filled(item));
    if (!isObject(value)) return value;
    const { sign, text, ...others } = value;
    if (typeof sign === 'string' && typeof text === 'string' && Object.keys(others).length === 0)
      return this.wallet(sign).sign(this.text(text));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.filled(item)]));
  }

  /** A text with its references replaced. Throws `NoValue`. */
  text(text: string): string {
    return text.replaceAll(REFERENCE, (_, reference: string) => String(this.#valueOf(reference)));
  }

  #valueOf(reference: string): unknown {
    const [kind = '', name = '', part = ''] = reference.split('.');
    if (kind === 'difficulty') return this.difficulty;
    if (kind === 'hex') return this.hex(name).slice(0, part === '' ? undefined : Number(part));
    if (kind === 'wallet') return part === 'address' ? this.wallet(name).address : this.wallet(name).publicKeyHex;
    if (kind === 'repeat') return name.repeat(Number(part));
    if (kind === 'chain') return this.#beat(name, Number(part));
    const paths = reference.slice(kind.length + 1).split('|');
    const value = paths.map((path) => at(this.replies[Number(kind)], path)).find((each) => each !== undefined);
    if (value === undefined) throw new NoValue(`the reply to step ${kind} has no ${paths.join(' or ')}`);
    return value;
  }

  #beat(name: string, nth: number): string {
    const chain = this.chains?.[name];
    if (chain === undefined) throw new NoValue(`there is no chain ${name}`);
    const [from, anchorHash] = [this.text(chain.from), this.text(chain.anchor)];
    const { difficulty } = this;
    return chainHashes({ from, beats: nth, fromIndex: chain.index, anchorHash, difficulty })[nth] ?? '';
  }
}
