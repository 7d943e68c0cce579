/**
 * The ways to hash chains on this machine, and which of them is fastest: node:crypto, and the two programs of program.ts.
 * A step of a chain is the SHA-256 of the 64 hex characters of the hash before.
 *
 * Worker threads run the text of these functions (`KERNELS_TEXT`), so they use nothing but each other, their arguments and
 * what every thread has.
 */

import { chainProgram } from './program.js';

/** SHA-256 of a text or of bytes, as 64 hex characters: `hash` of node:crypto. */
export type OneShotHash = (algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex') => string;

/** A way to hash chains. */
export interface Kernel {
  readonly name: 'node:crypto' | 'WebAssembly' | 'WebAssembly SIMD';
  /** Chains that are hashed side by side. */
  readonly lanes: number;
  /** The hashes (64 lower-case hex characters, at most `lanes` of them) after `steps` steps each. */
  readonly advance: (hashes: readonly string[], steps: number) => string[];
}

/** The bytes of the two programs (program.ts). A thread is given them, since it cannot import what writes them. */
interface Programs {
  readonly one: Uint8Array;
  readonly four: Uint8Array;
}

let written: Programs | undefined;

/** The bytes of the two programs, written when they are first asked for. */
export function programs(): Programs {
  written ??= { one: chainProgram(1), four: chainProgram(4) };
  return written;
}

/** A buffer whose undocumented method writes characters of one byte fastest. */
type Scratch = Buffer & { readonly latin1Write: (text: string, offset: number, length: number) => number };

/**
 * The kernel of node:crypto. Its one-shot `hash` costs less than half of createHash().update().digest(). Node 22 hashes 64
 * bytes faster than 64 characters, Node 20 and 24 the other way round, each by about a tenth.
 */
export function nodeKernel(hashOf: OneShotHash): Kernel {
  const scratch = process.versions.node.startsWith('22.') ? (Buffer.alloc(64) as Scratch) : null;
  const after = (hash: string, steps: number): string => {
    let current = hash;
    if (scratch === null) {
      for (let step = 0; step < steps; step++) current = hashOf('sha256', current, 'hex');
      return current;
    }
    for (let step = 0; step < steps; step++) {
      scratch.latin1Write(current, 0, 64);
      current = hashOf('sha256', scratch, 'hex');
    }
    return current;
  };
  return { name: 'node:crypto', lanes: 1, advance: (hashes, steps) => hashes.map((hash) => after(hash, steps)) };
}

/** The exports of a program. */
interface Exported {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly run: (steps: number) => void;
}

/** The part of WebAssembly that is used here: Node's types have none. */
interface WebAssemblyApi {
  readonly validate: (bytes: Uint8Array) => boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** The kernel of a program; undefined where the machine cannot run it. */
export function programKernel(bytes: Uint8Array, lanes: 1 | 4): Kernel | undefined {
  const api = (globalThis as { readonly WebAssembly?: WebAssemblyApi }).WebAssembly;
  if (api?.validate(bytes) !== true) return undefined;
  const { memory, run } = new api.Instance(new api.Module(bytes)).exports as Exported;
  const words = new Uint32Array(memory.buffer, 0, 8 * lanes);
  const digest = Buffer.alloc(32);
  // Until the engine has optimized the program, a call runs to its end slowly: so no call is long.
  const stepsOfCallMax = 2_000;
  return {
    name: lanes === 1 ? 'WebAssembly' : 'WebAssembly SIMD',
    lanes,
    advance: (hashes, steps) => {
      for (const [lane, hash] of hashes.entries()) {
        digest.write(hash, 'hex');
        for (let i = 0; i < 8; i++) words[i * lanes + lane] = digest.readUInt32BE(4 * i);
      }
      for (let left = steps; left > 0; left -= stepsOfCallMax) run(Math.min(left, stepsOfCallMax));
      return hashes.map((_hash, lane) => {
        for (let i = 0; i < 8; i++) digest.writeUInt32BE(words[i * lanes + lane] as number, 4 * i);
        return digest.toString('hex');
      });
    },
  };
}

/** All kernels that the machine can run. */
export function kernelsOf(hashOf: OneShotHash, { one, four }: Programs): readonly Kernel[] {
  return [nodeKernel(hashOf), programKernel(one, 1), programKernel(four, 4)].filter((kernel) => kernel !== undefined);
}

/** Hashes that a kernel makes in a millisecond, with all its lanes; of each kernel by its name. */
export type Rates = Readonly<Partial<Record<Kernel['name'], number>>>;

/**
 * Measures kernels by turns, in about 10 ms. The first call of each is discarded. If the engine has not optimized the
 * programs by then, it goes on for at most another 30 ms: on a busy machine that can take a while. `nowMs`: a clock that
 * does not jump, such as performance.now.
 */
export function measureKernels(kernels: readonly Kernel[], nowMs: () => number): Rates {
  const rates: Partial<Record<Kernel['name'], number>> = {};
  const [steps, turnsMin, leastMs, mostMs] = [200, 4, 10, 40];
  const hashesOf = (lanes: number): string[] => new Array<string>(lanes).fill('0'.repeat(64));
  for (const { lanes, advance } of kernels) advance(hashesOf(lanes), steps);
  const startMs = nowMs();
  for (let turn = 1; ; turn++) {
    for (const { name, lanes, advance } of kernels) {
      const hashes = hashesOf(lanes);
      const beganMs = nowMs();
      advance(hashes, steps);
      rates[name] = Math.max(rates[name] ?? 0, (steps * lanes) / Math.max(nowMs() - beganMs, 1e-3));
    }
    const tookMs = nowMs() - startMs;
    const optimized = (rates['WebAssembly SIMD'] ?? 0) >= (rates['node:crypto'] ?? 0);
    if (turn >= turnsMin && tookMs >= (optimized ? leastMs : mostMs)) return rates;
  }
}

/** A kernel with its measured rate, over all its lanes. */
interface Measured {
  readonly kernel: Kernel;
  readonly hashesPerMs: number;
}

/** The fastest kernels of this machine. */
export interface Fastest {
  /** For one chain. */
  readonly one: Measured;
  /** For many chains: the same, if no kernel of several lanes is faster with all its lanes. */
  readonly many: Measured;
}

/** The fastest kernels by measured rates. */
export function fastestKernels(kernels: readonly Kernel[], rates: Rates): Fastest {
  const measured = kernels.map((kernel) => ({ kernel, hashesPerMs: rates[kernel.name] ?? 0 }));
  const best = (of: readonly Measured[]): Measured => of.reduce((a, b) => (b.hashesPerMs > a.hashesPerMs ? b : a));
  return { one: best(measured.filter(({ kernel }) => kernel.lanes === 1)), many: best(measured) };
}

/** The text of the functions above but `programs`, for the program of a thread. */
export const KERNELS_TEXT = [nodeKernel, programKernel, kernelsOf, measureKernels, fastestKernels]
  .map(String)
  .join('\n');
