/**
 * The view that a check has while it runs: calls, agents, time, money, and assertions that name their clauses. How a
 * check is started and ended is in run/run-check.ts.
 */

import { againstBy } from '../../model/evidence.js';
import { askedSince } from '../../model/facts/tickets.js';
import { show } from '../../model/reading/compare.js';
import type { Cause } from '../../spec/causes.js';
import { clauseById } from '../../spec/clauses/index.js';
import type { Facts } from '../../spec/endpoint.js';
import { endpointOf } from '../../spec/endpoint-ids.js';
import type { ErrorKey, ErrorRow } from '../../spec/errors.js';
import { errorRows } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import type { Reply } from '../assertions/reply.js';
import { Unjudged, unmet } from '../assertions/unjudged.js';
import type { Move } from '../moves/move.js';
import { Wallet } from '../protocol/wallet.js';
import { Assertion } from './assertion.js';
import { Caller } from './caller.js';
import {
  type Agent,
  makeRoot,
  makeWalletRoot,
  paymentAddress,
  type RootOptions,
  reusedRoot,
  sharedRoot,
  type WalletAgent,
  type WalletRootOptions,
} from './fixtures.js';
import { reusesAgents } from './needs.js';
import { needReachableCount, REACH } from './reach.js';
import { withResyncPayment } from './resync-payment.js';

/**
 * The interface of a running check: the target, random values, time, agents, money, and assertions. Every assertion names the
 * clauses that it is evidence for, and does not end the check. `need` ends it if a value that a later step requires is missing.
 */
export class Trial extends Caller {
  /** How many reused agents it has, by kind. */
  readonly #borrowed = { started: 0, unstarted: 0 };
  /** Evidence from refusals so far; withdrawn if the request without its fault is refused too. */
  readonly #refusals = new Set<SeenEvidence>();
  /** A request with a fault that was accepted nevertheless: later steps may see what it changed. */
  #takenWithFault: Reply | undefined;

  get facts(): Facts {
    return this.session.facts;
  }

  /** The numbers by which the target is judged. */
  get protocol(): Protocol {
    return this.session.facts.protocol;
  }

  /** A row of section 7, as the target's dialect has it. */
  row(key: ErrorKey): ErrorRow {
    return errorRows(this.protocol)[key];
  }

  /** Lower-case hex of `bytes` bytes that follow from the seed and the check. */
  hex(bytes: number): string {
    return this.draws.hex(bytes);
  }

  /** A name that no other check of the run uses. */
  word(): string {
    return this.draws.word();
  }

  /** A fresh principal of a SIGIL: a word, or the longest end of it that the target accepts. */
  principal(): string {
    return this.word().slice(-this.protocol.sigil.principalCharsMax).replace(/^-/, 'p');
  }

  /** A fresh Solana wallet. */
  wallet(): Wallet {
    return new Wallet(this.draws.bytes(32), this.exchanges.onSigned);
  }

  /** An address that no other check uses; undefined where the target does not distinguish addresses. */
  newAddress(): string | undefined {
    return this.session.offers.has('client-ip') ? this.session.addresses.next(this.addressDraws) : undefined;
  }

  /** A root agent: a fresh one, or one that checks share. What it costs in registrations must be declared by the check. */
  root(options: RootOptions = {}): Promise<Agent> {
    if (!reusesAgents(this.session.offers, this.check)) return makeRoot(this, options);
    const kind = options.init === true ? 'started' : 'unstarted';
    this.#borrowed[kind] += 1;
    return reusedRoot(this, options, this.#borrowed[kind]);
  }

  /** Sends a move; a resync with its payment, where a change gives it a price. */
  override async send(move: Move, how: Parameters<Caller['send']>[1] = {}): Promise<Reply> {
    return super.send(await withResyncPayment(this, move), how);
  }

  /** A fresh root agent with a wallet. What it costs in registrations must be declared by the check. */
  walletRoot(options: WalletRootOptions = {}): Promise<WalletAgent> {
    return makeWalletRoot(this, options);
  }

  /** A started agent without wallet and SIGIL that checks share; it must not be changed. */
  sharedRoot(): Promise<Agent> {
    return sharedRoot(this);
  }

  /** The address to which fees are paid (D-22). */
  paymentAddress(): Promise<string> {
    return paymentAddress(this);
  }

  /** Gives a wallet lamports on the target's ledger. */
  async fund(wallet: Wallet, lamports: number): Promise<void> {
    needReachableCount(lamports, REACH.lamports, 'lamports in one wallet');
    await this.session.payer.fund(this, wallet, lamports);
  }

  /**
   * Pays the service several amounts from one wallet in advance. Returns a function for the signature of the n-th payment, from 1. If one
   * call of the target makes one payment, each payment is made when its signature is requested.
   */
  async payAhead(
    from: Wallet,
    lamportsOf: (n: number) => number,
    count: number,
  ): Promise<(n: number) => Promise<string>> {
    const { payer, transfersMax } = this.session;
    const one = (n: number): Promise<string> => this.pay({ from, lamports: lamportsOf(n) });
    if (payer.payAll === undefined || transfersMax === 1) return one;
    const to = await this.paymentAddress();
    const transfers = Array.from({ length: count }, (_, at) => ({ from, to, lamports: lamportsOf(at + 1) }));
    const signatures = await payer.payAll(this, transfers);
    return async (n) => signatures[n - 1] ?? one(n);
  }

  /** Pays on the target's ledger, and returns the signature of the transfer. Without `to` it pays the service. */
  async pay(transfer: {
    readonly from: Wallet;
    readonly lamports: number;
    readonly to?: string;
    readonly status?: 'confirmed' | 'pending' | 'failed';
  }): Promise<string> {
    const to = transfer.to ?? (await this.paymentAddress());
    const signature = await this.session.payer.pay(this, { ...transfer, to });
    const { from, lamports, status = 'confirmed' } = transfer;
    // The model sees transfers only on the ledger of the control API.
    if (this.session.target.payments.kind !== 'control')
      this.session.model?.payments.set(signature, {
        from: from.address,
        to,
        lamports,
        status,
        usedFor: null,
        tried: false,
      });
    return signature;
  }

  /**
   * Starts an assertion about clauses of one level, for facts that no reply shows to the model, such as real time, deliveries, a signature
   * that another library verifies, or keys of others.
   */
  shows(...clauses: readonly string[]): Assertion {
    return new Assertion(this.log, (reply) => this.placeOf(reply), clauses);
  }

  /** Ends the check unless a request is accepted: for a step that later ones depend on. The model judges the reply; no clause is named. */
  mustSucceed(reply: Reply): Reply {
    return this.accepted(reply);
  }

  /**
   * Asserts that a request is accepted, for `clauses` that the model leaves open: a success is evidence for them, anything else against them.
   * Without a success the check ends, since later steps depend on it, and withdraws its evidence of refusals: they may have the same reason.
   */
  accepted(reply: Reply, ...clauses: readonly string[]): Reply {
    const ok = reply.status >= 200 && reply.status < 300;
    const { model } = this.session;
    const actual = seen(reply);
    const since = ok || model === undefined ? '' : askedSince(model, Object.values(Object(reply.sent)));
    const before = this.#takenWithFault;
    if (!ok && reply.status < 500 && before !== undefined) {
      const faulty = `${before.name} accepted a request with a fault before`;
      throw new Unjudged('not-tested', `needs ${reply.name} to be accepted, and got ${reply.status}: ${faulty}`);
    }
    for (const some of byLevel(clauses))
      this.#record(reply, some, ok, { about: 'status', expected: `a success (2xx)${since}`, actual, cause: 'refused' });
    if (ok) return reply;
    this.withdrawRefusals(reply);
    throw new Unjudged('not-tested', `needs ${reply.name} to be accepted, and got ${actual}`);
  }

  /** Withdraws the evidence from refusals so far, since this reply refuses the request without its fault, too. */
  withdrawRefusals(reply: Reply): void {
    const reason = `refused, but so was the request without its fault: ${reply.name} ${reply.status}`;
    this.log.withdraw(this.#refusals, reason);
  }

  /**
   * Asserts that a request is refused, for `clauses` that the model leaves open, such as those that depend on a limit or on real time. `as`:
   * a row of spec/errors, a status, or any refusal (`4xx`). For a row, clauses of the text require the status and code that the text gives,
   * clauses of its decision those that the decision gives, and other clauses any refusal.
   */
  refused(reply: Reply, as: ErrorKey | number | '4xx', ...clauses: readonly string[]): Reply {
    if (clauses.length === 0) throw new RangeError('a refusal names the clauses that it shows');
    if (as === '4xx') for (const named of byLevel(clauses)) this.#refusal(reply, named, anyRefusal(reply));
    else if (typeof as === 'number')
      for (const named of byLevel(clauses)) this.#refusal(reply, named, hasStatus(reply, as));
    else for (const named of bySource(clauses)) this.#refusedAsRow(reply, this.row(as), named);
    if (reply.status < 300) this.#takenWithFault = reply;
    return reply;
  }

  /** The refusal of a row, for clauses of one source. */
  #refusedAsRow(reply: Reply, { source, codeBinds, status, code, cause }: ErrorRow, named: readonly string[]): void {
    const { level, decision } = clauseById(named[0] ?? '');
    const asRow = source === 'spec' || decision === source;
    const ok = this.#refusal(reply, named, asRow ? hasStatus(reply, status, cause) : anyRefusal(reply, cause));
    const found = reply.get('code');
    // A missing code of a row of the text is no evidence against a decision.
    const decided = (codeBinds && source !== 'spec') || found !== undefined;
    // A refusal with another status fails by the status alone.
    if (!asRow || !ok || !(level === 'must' ? codeBinds && codeIsShown(reply) : decided)) return;
    const rows = named.filter(isErrorRow);
    const actual = found === undefined ? undefined : show(found);
    const about = { about: 'code', expected: show(code), actual, cause: 'field' } as const;
    this.#refusal(reply, rows.length > 0 ? rows : named, { ok: found === code, ...about });
  }

  /** Runs a part of a check that is judged by itself. If the part ends early, the check goes on. */
  async part(steps: () => Promise<unknown>): Promise<void> {
    try {
      await steps();
    } catch (error) {
      if (!(error instanceof Unjudged)) throw error;
      this.endedParts.push(error);
    } finally {
      this.#takenWithFault = undefined;
    }
  }

  /** A value that the next step requires. If it is missing, the check ends, and the reason says what was needed from whom. */
  need<T>(value: T | undefined, what: string, decision?: string): T {
    if (value !== undefined) return value;
    throw new Unjudged('not-tested', unmet(`${what}, which is not there`, decision));
  }

  /** Records whether a request is refused. The record is withdrawn if the request without its fault is refused, too. */
  #refusal(reply: Reply, clauses: readonly string[], { ok, ...found }: Comparison & { readonly ok: boolean }): boolean {
    this.#refusals.add(this.#record(reply, clauses, ok, found));
    return ok;
  }

  #record(reply: Reply, clauses: readonly string[], ok: boolean, found: Comparison): SeenEvidence {
    const { about, expected, actual, cause } = found;
    const { level } = clauseById(clauses[0] ?? '');
    const against = ok ? {} : againstBy(reply.judged, expected, actual, cause);
    const evidence = { clauses, level, n: this.placeOf(reply), endpoint: reply.name, about, ok, ...against };
    this.log.record(evidence);
    return evidence;
  }
}

interface Comparison {
  readonly about: string;
  readonly expected: string;
  /** Undefined if it is missing. */
  readonly actual: string | undefined;
  readonly cause: Cause;
}

/** A reply as evidence quotes it. */
const seen = (reply: Reply): string => `${reply.status} ${reply.excerpt()}`;

/** The kind of deviation of an expected refusal: it is missing, or has another form. */
const causeOfStatus = ({ status }: Reply): Cause => (status < 400 ? 'effect' : 'field');

/** Whether a reply has the status of an expected refusal. */
function hasStatus(reply: Reply, status: number, why?: string) {
  const expected = why === undefined ? `${status}` : `${status} (${why})`;
  return { about: 'status', ok: reply.status === status, expected, actual: seen(reply), cause: causeOfStatus(reply) };
}

/** Whether a reply is a refusal in any form. */
function anyRefusal(reply: Reply, why?: string) {
  const expected = `a refusal (4xx)${why === undefined ? '' : `: ${why}`}`;
  const ok = reply.status >= 400 && reply.status < 500;
  return { about: 'status', ok, expected, actual: seen(reply), cause: causeOfStatus(reply) };
}

/** Whether section 7 shows the codes of an endpoint's errors. */
function codeIsShown({ endpoint }: Reply): boolean {
  return endpoint !== undefined && endpointOf(endpoint).errorsShown === undefined;
}

/** Whether a clause is a row of errors, which gives a code; for any other clause the refusal alone is evidence. */
function isErrorRow(clause: string): boolean {
  return /(^|\.)error\./.test(clause);
}

/** Groups clauses by level, since an assertion is about clauses of one level. */
export function byLevel(clauses: readonly string[]): readonly (readonly string[])[] {
  const levels = ['must', 'decision'] as const;
  return levels
    .map((level) => clauses.filter((id) => clauseById(id).level === level))
    .filter(({ length }) => length > 0);
}

/** Groups clauses by source: the text, or one decision. */
function bySource(clauses: readonly string[]): readonly (readonly string[])[] {
  const sourceOf = (id: string): string => clauseById(id).decision ?? 'spec';
  return [...new Set(clauses.map(sourceOf))].map((source) => clauses.filter((id) => sourceOf(id) === source));
}
