import type { z } from 'zod';
import { clauseById } from '../../spec/clauses/index.js';
import type { Facts } from '../../spec/endpoint.js';
import { type ErrorKey, errors } from '../../spec/errors.js';
import type { Protocol } from '../../spec/protocol.js';
import {
  assertCodeOf,
  assertErrorBody,
  assertRefused,
  assertStatusOf,
  assertSuccess,
  type Fault,
  looseFaults,
  successSchema,
} from '../assertions/assert.js';
import { clausesOfDecision, clausesOfField, clausesOfRefusal } from '../assertions/attribution.js';
import { assertEqual, assertThat, attributed, Mismatched } from '../assertions/mismatch.js';
import { at, type Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import { decisionBehind, type EndpointId, routeClauseOf } from '../protocol/endpoints.js';
import { Wallet } from '../protocol/wallet.js';
import { Caller } from './caller.js';
import {
  type Agent,
  lentRoot,
  makeRoot,
  makeWalletRoot,
  paymentAddress,
  type RootOptions,
  sharedRoot,
  type WalletAgent,
  type WalletRootOptions,
} from './fixtures.js';
import { lends } from './needs.js';

/** Endpoints of which the specification shows no error bodies. */
const BODY_NOT_SHOWN: ReadonlySet<string> = new Set(['register', 'init', 'beats-submit']);

/** What a check sees while it runs: the target, its own chance, time, agents and money, and assertions. */
export class Trial extends Caller {
  /** What assertions that rest on a decision have found. */
  readonly advisories: Mismatched[] = [];

  /** Clauses that the check has shown in full, whatever comes after. */
  readonly proven: string[] = [];
  /** Agents of others that it has, by their kind. */
  readonly #borrowed = { started: 0, unstarted: 0 };

  /** The clauses that the check names. */
  get #clauses(): readonly string[] {
    return this.check.clauses ?? [];
  }

  get facts(): Facts {
    return this.session.facts;
  }

  /** The numbers that the target is held to. */
  get protocol(): Protocol {
    return this.session.facts.protocol;
  }

  /** Lower-case hex of `bytes` bytes that follow from the seed and the check. */
  hex(bytes: number): string {
    return this.draws.hex(bytes);
  }

  /** A name that no other check of the run uses. */
  word(): string {
    return this.draws.word();
  }

  /** A fresh Solana wallet. */
  wallet(): Wallet {
    return new Wallet(this.draws.bytes(32));
  }

  /** An address that no other check uses; undefined where the target tells no addresses apart. */
  newAddress(): string | undefined {
    return this.session.offers.has('client-ip') ? this.session.addresses.next(this.addressDraws) : undefined;
  }

  /** A root agent: a fresh one, or one that checks share. What it costs in registrations must be declared by the check. */
  root(options: RootOptions = {}): Promise<Agent> {
    if (!lends(this.session.offers, this.check)) return this.setup('a root agent', () => makeRoot(this, options));
    const kind = options.init === true ? 'started' : 'unstarted';
    this.#borrowed[kind] += 1;
    return this.setup('a shared agent', () => lentRoot(this, options, this.#borrowed[kind]));
  }

  /** A fresh root agent with a wallet. What it costs in registrations must be declared by the check. */
  walletRoot(options: WalletRootOptions = {}): Promise<WalletAgent> {
    return this.setup('a root agent with a wallet', () => makeWalletRoot(this, options));
  }

  /** A started agent without wallet and SIGIL that checks share; it must not be changed. */
  sharedRoot(): Promise<Agent> {
    return this.setup('the shared agent', () => sharedRoot(this));
  }

  /** Where fees are paid to (D-22). */
  paymentAddress(): Promise<string> {
    return this.setup('the payment address', () => paymentAddress(this));
  }

  /** Gives a wallet lamports on the target's ledger. */
  async fund(wallet: Wallet, lamports: number): Promise<void> {
    await this.session.payer.fund(this, wallet, lamports);
  }

  /** Pays: the signature of a transfer on the target's ledger. Without `to` it pays the service. */
  async pay(transfer: {
    readonly from: Wallet;
    readonly lamports: number;
    readonly to?: string;
    readonly status?: 'confirmed' | 'pending' | 'failed';
  }): Promise<string> {
    const to = transfer.to ?? (await this.paymentAddress());
    return this.session.payer.pay(this, { ...transfer, to });
  }

  /** Runs steps that are no finding of the check: what goes wrong in them makes it inconclusive. */
  async setup<T>(what: string, steps: () => Promise<T>): Promise<T> {
    try {
      return await steps();
    } catch (error) {
      if (!(error instanceof Mismatched)) throw error;
      throw new Unjudged('inconclusive', `the setup (${what}) failed: ${error.message}`);
    }
  }

  /**
   * A success whose body has every field of the endpoint's reply, or of `schema` where an endpoint has several. It shows that
   * there is such an endpoint, whatever is wrong with the body.
   */
  accepted(reply: Reply, schema?: (facts: Facts) => z.ZodType): Reply {
    assertSuccess(reply);
    const id = reply.endpoint;
    if (id === undefined) return reply;
    const route = routeClauseOf(id);
    if (this.#clauses.includes(route) && !this.proven.includes(route)) this.proves(route);
    const wanted = schema?.(this.facts) ?? successSchema(id, reply.status, this.facts);
    const faults = wanted === undefined ? [] : looseFaults(wanted, reply.json);
    const judge = ({ path, message }: Fault): void => {
      const where = path === '' ? `${reply.name}: reply` : `${reply.name}: ${path}`;
      const actual = path === '' ? reply.excerpt() : JSON.stringify(at(reply.json, path));
      assertThat(where, false, message, actual ?? 'nothing');
    };
    const binding = faults.filter(({ path }) => decisionBehind(id, path) === undefined);
    for (const fault of faults) {
      const decision = decisionBehind(id, fault.path);
      if (decision !== undefined) this.decided(decision, () => judge(fault));
      else attributed(this.#clausesOf(id, binding), () => judge(fault));
    }
    return reply;
  }

  /** The clauses of all fields that are wrong; undefined where one of them has none. */
  #clausesOf(id: EndpointId, faults: readonly Fault[]): readonly string[] | undefined {
    const found = faults.map(({ path }) => clausesOfField(id, path, this.#clauses));
    return found.includes(undefined) ? undefined : [...new Set(found.flatMap((clauses) => clauses ?? []))];
  }

  /**
   * The refusal of a row of spec/errors. That it is refused, with an error string, is asserted in any case; status and
   * code with the force of their source. `decision`: the refusal itself rests on one. What is refused otherwise than it
   * should be speaks against the clauses of that refusal, what is not refused against whatever the check judges.
   */
  refused(reply: Reply, key: ErrorKey, decision?: string): Reply {
    const { source, codeBinds } = errors[key];
    if (decision !== undefined) {
      this.decided(decision, () => this.refused(reply, key));
      return reply;
    }
    const row = clausesOfRefusal(key, this.#clauses);
    const isRefusal = reply.status >= 400 && reply.status < 500;
    if (source === 'spec') attributed(isRefusal ? row : undefined, () => assertStatusOf(reply, key));
    assertRefused(reply);
    // Section 7 leaves the error bodies of these open; D-32 and D-33 fix them.
    if (BODY_NOT_SHOWN.has(errors[key].endpoint)) this.decided('D-32', () => assertErrorBody(reply));
    else attributed(['error.body.error'], () => assertErrorBody(reply));
    const decided = (by: string, assertions: () => void): void => this.decided(by, () => attributed(row, assertions));
    if (source !== 'spec') decided(source, () => assertStatusOf(reply, key));
    if (codeBinds) attributed(row, () => assertCodeOf(reply, key));
    else if (reply.get('code') !== undefined)
      decided(source === 'spec' ? 'spec/errors' : source, () => assertCodeOf(reply, key));
    else if (source !== 'spec') decided(source, () => assertCodeOf(reply, key));
    return reply;
  }

  /** Tells that these clauses are shown to hold by now: what goes wrong later says nothing against them. */
  proves(...clauses: readonly string[]): void {
    this.proven.push(...clauses.map((id) => clauseById(id).id));
  }

  /** Assertions that speak about some of the check's clauses alone: their failure says nothing of the others. */
  about(clauses: readonly string[], assertions: () => void): void {
    const known = clauses.map((id) => clauseById(id).id);
    attributed(known, assertions);
  }

  /** Both are the same JSON value. */
  equal(about: string, actual: unknown, expected: unknown): void {
    assertEqual(about, actual, expected);
  }

  /** A reply, or the object at a path of it, has these fields, whatever else is in it: a target may add some. */
  fields(reply: Reply, path: string, expected: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(expected)) {
      const field = path === '' ? name : `${path}.${name}`;
      attributed(this.#clausesOfPath(reply, field), () => assertEqual(field, reply.get(field), value));
    }
  }

  /** The clauses of the check that speak about a field of a reply; undefined where none does. */
  #clausesOfPath({ endpoint }: Reply, path: string): readonly string[] | undefined {
    const found = endpoint === undefined ? [] : (clausesOfField(endpoint, path, this.#clauses) ?? []);
    const named = found.filter((id) => this.#clauses.includes(id));
    return named.length === 0 ? undefined : named;
  }

  /** Something holds, told in words. */
  that(about: string, ok: boolean, expected: string, actual: string): void {
    assertThat(about, ok, expected, actual);
  }

  /** Assertions that rest on a decision: their mismatch is advisory, and the check goes on. */
  decided(decision: string, assertions: () => void): void {
    try {
      assertions();
    } catch (error) {
      if (!(error instanceof Mismatched)) throw error;
      const { about, expected, actual } = error.mismatch;
      const mismatch = { about, expected: `${expected} (by ${decision})`, actual };
      const clauses = error.clauses ?? clausesOfDecision(decision, this.#clauses);
      this.advisories.push(new Mismatched(mismatch, clauses));
    }
  }

  /**
   * A value that the specification fixes, read from a field that only a decision names: a target without the field
   * does not follow the decision, one that has it must show the value.
   */
  shown(reply: Reply, path: string, expected: unknown, decision: string): void {
    const actual = reply.get(path);
    const about = `${reply.name}: ${path}`;
    if (actual === undefined) this.decided(decision, () => assertEqual(about, actual, expected));
    else assertEqual(about, actual, expected);
  }
}
