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

/**
 * The interface of a running check: the target, random values, time, agents, money, and assertions. Every assertion names the
 * clauses that it is evidence for, and never ends the check. A value that a later step requires is read by `need`, which does.
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
    return new Wallet(this.draws.bytes(32), this.onSigned);
  }

  /** An address that no other check uses; undefined where the target does not distinguish addresses. */
  newAddress(): string | undefined {
    return this.session.offers.has('client-ip') ? this.session.addresses.next(this.addressDraws) : undefined;
  }

  /** A root agent: a fresh one, or one that checks share. What it costs in registrations must be declared by the check. */
  root(options: RootOptions = {}): Promise<Agent> {
    if (!reusesAgents(this.session.offers, this.check))
      return this.setup('a root agent', () => makeRoot(this, options));
    const kind = options.init === true ? 'started' : 'unstarted';
    this.#borrowed[kind] += 1;
    return this.setup('a shared agent', () => reusedRoot(this, options, this.#borrowed[kind]));
  }

  /** A fresh root agent with a wallet. What it costs in registrations must be declared by the check. */
  walletRoot(options: WalletRootOptions = {}): Promise<WalletAgent> {
    return this.setup('a root agent with a wallet', () => makeWalletRoot(this, options));
  }

  /** A started agent without wallet and SIGIL that checks share; it must not be changed. */
  sharedRoot(): Promise<Agent> {
    return this.setup('the shared agent', () => sharedRoot(this));
  }

  /** The address to which fees are paid (D-22). */
  paymentAddress(): Promise<string> {
    return this.setup('the payment address', () => paymentAddress(this));
  }

  /** Gives a wallet lamports on the target's ledger. */
  async fund(wallet: Wallet, lamports: number): Promise<void> {
    needReachableCount(lamports, REACH.lamports, 'lamports in one wallet');
    await this.session.payer.fund(this, wallet, lamports);
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

  /** Runs preparatory steps, with a name for readers of the check. An error in them ends the check, with that error as the reason. */
  setup<T>(_what: string, steps: () => Promise<T>): Promise<T> {
    return steps();
  }

  /** An assertion about clauses of the check, all of one level. */
  shows(...clauses: readonly string[]): Assertion {
    return new Assertion(this.log, (reply) => this.placeOf(reply), clauses);
  }

  /**
   * An assertion for steps that many checks share: if it fails, it is evidence against all these clauses; if it holds, only for
   * those that the check lists.
   */
  alsoShows(...clauses: readonly string[]): Assertion {
    return new Assertion(this.log, (reply) => this.placeOf(reply), clauses, { inPassing: true });
  }

  /**
   * Asserts that a request is accepted, which is evidence for `clauses`, a refusal against them. Anything but a success ends the
   * check, since later steps depend on it.
   */
  accepted(reply: Reply, ...clauses: readonly string[]): Reply {
    const ok = reply.status >= 200 && reply.status < 300;
    const { model } = this.session;
    const actual = `${reply.status} ${reply.excerpt()}`;
    const since = ok || model === undefined ? '' : askedSince(model, Object.values(Object(reply.sent)));
    const seen = { about: 'status', expected: `a success (2xx)${since}`, actual, cause: 'refused' } as const;
    const before = this.#takenWithFault;
    if (!ok && reply.status < 500 && before !== undefined) {
      const faulty = `${before.name} accepted a request with a fault before`;
      throw new Unjudged('not-tested', `needs ${reply.name} to be accepted, and got ${reply.status}: ${faulty}`);
    }
    for (const some of byLevel(clauses)) this.#record(reply, some, ok, seen);
    if (!ok) {
      this.withdrawRefusals(reply);
      throw new Unjudged(
        'not-tested',
        `needs ${reply.name} to be accepted, and got ${reply.status} ${reply.excerpt()}`,
      );
    }
    return reply;
  }

  /** Withdraws the evidence from refusals so far, since this reply refuses the request without its fault, too. */
  withdrawRefusals(reply: Reply): void {
    const reason = `refused, but so was the request without its fault: ${reply.name} ${reply.status}`;
    this.log.withdraw(this.#refusals, reason);
  }

  /**
   * Asserts the refusal of a row of spec/errors, as evidence for the clauses: for clauses of the text by the status and code that the text gives,
   * for clauses of the row's decision by those that the decision gives. Clauses of other decisions require a refusal in any form.
   */
  refused(reply: Reply, key: ErrorKey, ...clauses: readonly string[]): Reply {
    if (clauses.length === 0) throw new RangeError('a refusal names the clauses that it shows');
    const { source, codeBinds, status, code, cause } = this.row(key);
    const isRefusal = reply.status >= 400 && reply.status < 500;
    for (const named of bySource(clauses)) {
      const { level, decision } = clauseById(named[0] ?? '');
      const must = level === 'must';
      const asRow = source === 'spec' || decision === source;
      const expected = asRow ? `${status} (${cause})` : `a refusal (4xx): ${cause}`;
      const actual = `${reply.status} ${reply.excerpt()}`;
      const ok = asRow ? reply.status === status : isRefusal;
      this.#refusal(this.#record(reply, named, ok, { about: 'status', expected, actual, cause: causeOfStatus(reply) }));
      // A refusal with another status fails by the status alone. A missing code of a row of the text is reported below, and is no evidence against a decision.
      const decided = (codeBinds && source !== 'spec') || reply.get('code') !== undefined;
      const codeMatters = asRow && ok && (must ? codeBinds && this.codeIsShown(reply) : decided);
      if (!codeMatters) continue;
      const found = reply.get('code');
      const shown = found === undefined ? undefined : show(found);
      const seen = { about: 'code', expected: show(code), actual: shown, cause: 'field' } as const;
      const rows = named.filter(isErrorRow);
      this.#refusal(this.#record(reply, rows.length > 0 ? rows : named, reply.get('code') === code, seen));
    }
    if (reply.status < 300) this.#takenWithFault = reply;
    return reply;
  }

  /**
   * Asserts a refusal of which the text gives the status and no code, or neither (`4xx`). Withdrawn, like any refusal, if the request without its
   * fault is refused too.
   */
  refusedWith(reply: Reply, status: number | '4xx', ...clauses: readonly string[]): Reply {
    return this.refusedAs(reply, 'status', status, ...clauses);
  }

  /** The same for one of several faults, which `about` names in a report. */
  refusedAs(reply: Reply, about: string, status: number | '4xx', ...clauses: readonly string[]): Reply {
    const ok = status === '4xx' ? reply.status >= 400 && reply.status < 500 : reply.status === status;
    const expected = status === '4xx' ? 'a refusal (4xx)' : String(status);
    const seen = { about, expected, actual: `${reply.status} ${reply.excerpt()}`, cause: causeOfStatus(reply) };
    for (const named of byLevel(clauses)) this.#refusal(this.#record(reply, named, ok, seen));
    if (reply.status < 300) this.#takenWithFault = reply;
    return reply;
  }

  /** Whether section 7 shows the codes of an endpoint's errors. */
  codeIsShown({ endpoint }: Reply): boolean {
    return endpoint !== undefined && endpointOf(endpoint).errorsShown === undefined;
  }

  /** A part of a check that is judged by itself: what ends it does not end the check. */
  async part(steps: () => Promise<void>): Promise<void> {
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

  #refusal(evidence: SeenEvidence): void {
    this.#refusals.add(evidence);
  }

  #record(reply: Reply, clauses: readonly string[], ok: boolean, seen: Comparison): SeenEvidence {
    const evidence = this.#evidence(reply, clauses, ok, seen);
    this.log.record(evidence);
    return evidence;
  }

  #evidence(
    reply: Reply,
    clauses: readonly string[],
    ok: boolean,
    { about, expected, actual, cause }: Comparison,
  ): SeenEvidence {
    const level = clauseById(clauses[0] ?? '').level;
    const seen = ok ? {} : againstBy(reply.judged, expected, actual, cause);
    return { clauses, level, n: this.placeOf(reply), endpoint: reply.name, about, ok, ...seen };
  }
}

interface Comparison {
  readonly about: string;
  readonly expected: string;
  /** Undefined if it is missing. */
  readonly actual: string | undefined;
  readonly cause: Cause;
}

/** The kind of deviation of an expected refusal: it is missing, or has another form. */
const causeOfStatus = ({ status }: Reply): Cause => (status < 400 ? 'effect' : 'field');

/** Whether a clause is a row of errors, which gives a code; for any other clause the refusal alone is evidence. */
function isErrorRow(clause: string): boolean {
  return /(^|\.)error\./.test(clause);
}

/** Clauses by their level: an assertion is about clauses of one. */
export function byLevel(clauses: readonly string[]): readonly (readonly string[])[] {
  const levels = ['must', 'decision'] as const;
  return levels
    .map((level) => clauses.filter((id) => clauseById(id).level === level))
    .filter(({ length }) => length > 0);
}

/** Clauses by their source: the text, or one decision. */
function bySource(clauses: readonly string[]): readonly (readonly string[])[] {
  const sourceOf = (id: string): string => clauseById(id).decision ?? 'spec';
  return [...new Set(clauses.map(sourceOf))].map((source) => clauses.filter((id) => sourceOf(id) === source));
}
