import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Payer, Transfer } from './payer.js';
import type { Trial } from './trial.js';
import { Unjudged } from './verdict.js';

const TIMEOUT_MS = 120_000;
const OUTPUT_CHARS_MAX = 65_536;
const SHOWN_CHARS_MAX = 300;
/** A signature in base58. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
const LAMPORTS_PER_SOL = 1_000_000_000;

/**
 * Pays by a program of the user's. It is told by its environment what to pay (AIPS_PAY_FROM, AIPS_PAY_TO,
 * AIPS_PAY_LAMPORTS, the same in AIPS_PAY_SOL) and where the key of the paying wallet is (AIPS_PAY_KEY_FILE, a Solana key
 * file that is gone afterwards). It has to see to it that the wallet has the money, wait until the transaction is
 * confirmed, print its signature on the last line, and end with status 0.
 */
export class CommandPayer implements Payer {
  constructor(readonly command: readonly string[]) {}

  async fund(): Promise<void> {
    // The program is told what to pay when it is to be paid.
  }

  async pay(trial: Trial, { from, to, lamports, status = 'confirmed' }: Transfer): Promise<string> {
    if (status !== 'confirmed') throw new Unjudged('not-tested', `a payment command makes no ${status} transaction`);
    trial.session.wire.spend(lamports);
    const folder = await mkdtemp(join(tmpdir(), 'aips-pay-'));
    try {
      const keyFile = join(folder, 'key.json');
      await writeFile(keyFile, JSON.stringify(from.keyFileNumbers()), { mode: 0o600 });
      return await trial.busyWith(() =>
        this.#run({
          AIPS_PAY_FROM: from.address,
          AIPS_PAY_TO: to,
          AIPS_PAY_LAMPORTS: String(lamports),
          AIPS_PAY_SOL: solOf(lamports),
          AIPS_PAY_KEY_FILE: keyFile,
        }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #run(told: Readonly<Record<string, string>>): Promise<string> {
    const [program = '', ...args] = this.command;
    return new Promise((resolve, reject) => {
      const failed = (why: string): void =>
        reject(new Unjudged('inconclusive', `the payment command ${program} ${why}`));
      const child = spawn(program, args, {
        env: { ...process.env, ...told },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      const out = kept(child.stdout);
      const err = kept(child.stderr);
      child.once('error', (error) => failed(`cannot be run: ${error.message}`));
      child.once('close', (status, signal) => {
        const said = err().trim().slice(-SHOWN_CHARS_MAX);
        const words = said === '' ? '' : `: ${said}`;
        if (signal !== null)
          return failed(`was ended by ${signal}, after ${TIMEOUT_MS / 1_000} s at the latest${words}`);
        if (status !== 0) return failed(`ended with status ${status}${words}`);
        const last = out().trim().split('\n').at(-1)?.trim() ?? '';
        if (SIGNATURE.test(last)) resolve(last);
        else failed(`printed no signature on its last line, but ${JSON.stringify(last.slice(0, SHOWN_CHARS_MAX))}`);
      });
    });
  }
}

/** The end of what a stream says. */
function kept(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-OUTPUT_CHARS_MAX);
  });
  return () => text;
}

/** Lamports in SOL, exactly. */
function solOf(lamports: number): string {
  const whole = Math.floor(lamports / LAMPORTS_PER_SOL);
  return `${whole}.${String(lamports % LAMPORTS_PER_SOL).padStart(9, '0')}`;
}
