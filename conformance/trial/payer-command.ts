/** Pays by a command of the user's. Payments over RPC and by the control API are in payer-rpc.ts and payer.ts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unjudged } from '../assertions/unjudged.js';
import { cleanupAtExit } from '../wire/exit-cleanup.js';
import { type ProgramEnd, runProgram } from '../wire/program.js';
import type { Payer, Transfer } from './payer.js';
import type { Trial } from './trial.js';

const DEADLINE_MS = 120_000;
const SHOWN_CHARS_MAX = 300;
/** A signature in base58. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
const LAMPORTS_PER_SOL = 1_000_000_000;

/** The outcome of a command: a signature, or the reason for its absence. `paid`: the command may have paid nevertheless. */
type Outcome = { readonly signature: string } | { readonly why: string; readonly paid: boolean };

/**
 * Pays by a program of the user's. Its environment says what to pay (AIPS_PAY_FROM, AIPS_PAY_TO, AIPS_PAY_LAMPORTS, the same in AIPS_PAY_SOL) and
 * where the key of the paying wallet is (AIPS_PAY_KEY_FILE, a Solana key file that is gone afterwards). It must fund the wallet, wait until the
 * transaction is confirmed, print its signature on the last line, and exit with status 0.
 */
export class CommandPayer implements Payer {
  /** Why the command cannot be run at all: then it is not tried again. */
  #unrunnable: string | undefined;

  /** `deadlineMs`: how long a payment may take. */
  constructor(
    readonly command: readonly string[],
    readonly deadlineMs = DEADLINE_MS,
  ) {}

  async fund(): Promise<void> {
    // The program gets the amount with each payment.
  }

  async pay(trial: Trial, { from, to, lamports, status = 'confirmed' }: Transfer): Promise<string> {
    if (status !== 'confirmed') throw new Unjudged('not-tested', `a payment command makes no ${status} transaction`);
    if (this.#unrunnable !== undefined) throw new Unjudged('not-tested', this.#unrunnable);
    const { wire } = trial.session;
    wire.spend(lamports);
    const folder = mkdtempSync(join(tmpdir(), 'aips-pay-'));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    const settle = cleanupAtExit(remove);
    try {
      const keyFile = join(folder, 'key.json');
      const key = from.keyFileNumbers();
      // The program may print anything, and its output is quoted.
      for (const redactor of [trial.redactor, trial.session.redactor]) redactor.addKey('PAYMENT_KEY', key);
      writeFileSync(keyFile, JSON.stringify(key), { mode: 0o600 });
      const env = {
        AIPS_PAY_FROM: from.address,
        AIPS_PAY_TO: to,
        AIPS_PAY_LAMPORTS: String(lamports),
        AIPS_PAY_SOL: solOf(lamports),
        AIPS_PAY_KEY_FILE: keyFile,
      };
      const end = await trial.busyWith(() => runProgram(this.command, { env, deadlineMs: this.deadlineMs }));
      return this.#signatureOf(end, () => wire.unspend(lamports));
    } finally {
      remove();
      settle();
    }
  }

  /** The signature that the command printed; `unspend` is called if it has not paid. */
  #signatureOf(end: ProgramEnd, unspend: () => void): string {
    const the = `the payment command ${this.command[0]}`;
    if (end.kind === 'unrunnable') {
      unspend();
      const reason = `${the} cannot be run: ${end.why}`;
      if (!end.forGood) throw new Unjudged('inconclusive', reason);
      this.#unrunnable = reason;
      throw new Unjudged('not-tested', reason);
    }
    const outcome = this.#outcomeOf(end);
    if ('signature' in outcome) return outcome.signature;
    if (!outcome.paid) unspend();
    throw new Unjudged('inconclusive', `${the} ${outcome.why}`);
  }

  #outcomeOf(end: Exclude<ProgramEnd, { kind: 'unrunnable' }>): Outcome {
    const said = end.err.trim().slice(-SHOWN_CHARS_MAX);
    const words = said === '' ? '' : `: ${said}`;
    if (end.kind === 'late') {
      return { why: `was ended by SIGKILL, after ${this.deadlineMs / 1_000} s${words}`, paid: true };
    }
    const { status, signal, out } = end;
    if (signal !== null) return { why: `was ended by ${signal}${words}`, paid: true };
    if (status !== 0) return { why: `ended with status ${status}${words}`, paid: false };
    const last = out.trim().split('\n').at(-1)?.trim() ?? '';
    if (SIGNATURE.test(last)) return { signature: last };
    const shown = JSON.stringify(last.slice(0, SHOWN_CHARS_MAX));
    return { why: `printed no signature on its last line, but ${shown}`, paid: false };
  }
}

/** Lamports in SOL, exactly. */
function solOf(lamports: number): string {
  const whole = Math.floor(lamports / LAMPORTS_PER_SOL);
  return `${whole}.${String(lamports % LAMPORTS_PER_SOL).padStart(9, '0')}`;
}
