/** Plays actions of random sequences while it notes where each value of a request comes from, and writes them as a plain script. */

import { hexToBytes } from '@noble/hashes/utils.js';
import type { Action } from '../../conformance/fuzz/operation.js';
import { operationOf } from '../../conformance/fuzz/operations/index.js';
import { Player } from '../../conformance/fuzz/player.js';
import { Unplayable } from '../../conformance/fuzz/requests.js';
import { Tally } from '../../conformance/fuzz/tally.js';
import type { PairService, Script } from '../../conformance/pairs/play.js';
import type { WorkProof } from '../../conformance/protocol/beats.js';
import { Wallet } from '../../conformance/protocol/wallet.js';
import { Draws } from '../../conformance/trial/random.js';
import type { RawExchange } from '../../conformance/wire/wire.js';
import type { Evidence } from '../../model/evidence.js';
import { anchorOf } from '../../model/reading/anchor.js';
import { parse } from '../../model/reading/values.js';
import type { Pair, PairStep } from '../../results/pairs.js';
import { CONTROL_PATH } from '../../spec/endpoint.js';
import { isObject } from '../../spec/formats.js';
import { collapsed, named, pruned } from './shorten.js';

/** An exchange of a recording, and the evidence that the model takes from it. */
export interface Recorded {
  readonly exchange: RawExchange;
  readonly evidence: readonly Evidence[];
}

/** Draws that remember what they gave, since a script makes it again. */
class NotedDraws extends Draws {
  readonly noted: string[] = [];

  override hex(count: number): string {
    const drawn = super.hex(count);
    this.noted.push(drawn);
    return drawn;
  }
}

/** A signature in a request: the wallet by its secret, and the text. */
interface Signing {
  readonly secret: string;
  readonly text: string;
}

export class Recorder extends Player {
  readonly #drawn: NotedDraws;
  readonly #wallets = new Map<string, string>();
  readonly #signings = new Map<string, Signing>();
  readonly #works: WorkProof[] = [];

  constructor({ target, send }: PairService, salt = 'pairs') {
    const recorded = new Map<object, readonly Evidence[]>();
    const draws = new NotedDraws(salt);
    const tally = new Tally(({ evidence }, request) => recorded.set(request, evidence));
    super(target, send, salt, tally, undefined, draws);
    this.#drawn = draws;
    this.#evidence = recorded;
  }

  readonly #evidence: Map<object, readonly Evidence[]>;

  override wallet(): Wallet {
    const secret = this.draws.hex(32);
    const wallet = new Wallet(hexToBytes(secret), (signed) => {
      this.#signings.set(signed.signature, { secret, text: signed.text });
      this.onSigned(signed);
    });
    this.#wallets.set(wallet.address, `wallet.${secret}.address`);
    this.#wallets.set(wallet.publicKeyHex, `wallet.${secret}.public_key`);
    return wallet;
  }

  override async work(...given: Parameters<Player['work']>): Promise<WorkProof> {
    const proof = await super.work(...given);
    this.#works.push(proof);
    return proof;
  }

  /** A recording goes on, since the reply that counts may be a later one. */
  protected override end(): void {}

  /** Plays actions, to the first that cannot be played. Returns the evidence of each exchange so far. */
  async play(actions: readonly Action[]): Promise<readonly Recorded[]> {
    try {
      if (this.exchanges.length === 0) await this.begin();
      for (const action of actions) await this.#act(action);
    } catch (error) {
      if (!(error instanceof Unplayable)) throw error;
    }
    return this.exchanges.map((exchange) => ({ exchange, evidence: this.#evidence.get(exchange.request) ?? [] }));
  }

  async #act(action: Action): Promise<void> {
    if (action.op === 'repeat') return this.#repeat(action);
    // The fuzzer leaves the keys of its first two agents alone.
    if (action.op === 'revoke-key')
      return void (await this.control('POST', `agents/${this.agent(Number(action['agent'])).hash}/revoke-key`, {}));
    // A registration of a child looks for a stranger too, whom a script may not have.
    const strangers = action.op === 'register-child' ? [{ hash: '', key: '', name: '' }] : [];
    this.agents.push(...strangers);
    try {
      await operationOf(action.op).run(this, { beats: BEATS, ...action });
    } finally {
      for (const each of strangers) this.agents.splice(this.agents.indexOf(each), 1);
    }
  }

  /** Sends one request several times, from one client. */
  async #repeat({ times, action }: Action): Promise<void> {
    this.sharedAddress = this.newAddress();
    try {
      const ready = await operationOf((action as Action).op).prepare?.(this, { beats: BEATS, ...(action as Action) });
      for (let nth = 0; ready !== undefined && nth < Number(times); nth += 1) await this.send(ready);
    } finally {
      this.sharedAddress = null;
    }
  }

  /** The exchanges up to one as a script. Reads that no later request needs are left out. */
  script(last = this.exchanges.length - 1): Script {
    return new Writer(this.exchanges.slice(0, last + 1), {
      difficulty: this.target.protocol.beat.difficulty,
      urls: [this.target.baseUrl, this.target.beatsUrl, this.target.control?.url],
      drawn: this.#drawn.noted,
      wallets: this.#wallets,
      signings: this.#signings,
      works: this.#works,
    }).script();
  }
}

interface Sources {
  readonly difficulty: number;
  readonly urls: readonly (string | null | undefined)[];
  readonly drawn: readonly string[];
  readonly wallets: ReadonlyMap<string, string>;
  readonly signings: ReadonlyMap<string, Signing>;
  readonly works: readonly WorkProof[];
}

/** A shorter text, or one without a digit, is a word that replies and requests have in common. */
const HANDED_ON = /^(?=.*\d).{8,}$/s;
/** The number of hashes of a beat, which a player is given. */
export const DIFFICULTY = `\${difficulty}`;
/** Where servers show the latest anchor, since the text does not say. */
const ANCHOR_INDEX = 'anchor.beat_index|anchor.index|beat_index|index';
const ANCHOR_HASH = 'anchor.hash|anchor.anchor_hash|hash';
/** Beats of a proof, where an action gives no number: enough for five spot checks, which a server may want (2.4). */
const BEATS = 8;
const ANCHOR_KEYS = new Set(['global_anchor', 'anchor_index']);
const SERVICES = [undefined, 'beats', 'control'] as const;

class Writer {
  /** References by the value that they have. */
  readonly #known = new Map<string, string>();
  readonly #chains: Record<string, NonNullable<Pair['chains']>[string]> = {};
  #anchor: string | undefined;

  constructor(
    readonly exchanges: readonly RawExchange[],
    readonly sources: Sources,
  ) {
    for (const each of sources.drawn) if (each.length >= 12) this.#known.set(each, `hex.${each}`);
    for (const [value, reference] of sources.wallets) this.#known.set(value, reference);
  }

  script(): Script {
    const addresses = this.exchanges.map(({ request }) => request.headers['x-forwarded-for']);
    const steps = this.exchanges.map((exchange, nth) => {
      const { status, ...step } = this.#step(exchange, addresses);
      this.#learn(exchange, nth);
      return status === undefined || nth === this.exchanges.length - 1 ? step : { ...step, status: '4xx' as const };
    });
    return named(collapsed(pruned({ steps, chains: this.#chains })));
  }

  #step({ request, response }: RawExchange, addresses: readonly (string | undefined)[]): PairStep {
    const { method, url, headers, body } = request;
    const nth = this.sources.urls.findIndex((base) => base != null && url.startsWith(`${base}/`));
    const to = SERVICES[nth];
    const path = url.slice(this.sources.urls[nth]?.length ?? 0);
    const { authorization = '', 'content-type': type, 'x-forwarded-for': address, ...others } = headers;
    const key = /^Bearer (.*)$/.exec(authorization)?.[1];
    const json = body === undefined ? undefined : parse(body);
    const isShared = addresses.filter((each) => each === address).length > 1;
    const more = {
      ...others,
      ...(authorization !== '' && key === undefined && { authorization }),
      ...(type !== undefined && type !== 'application/json' && { 'content-type': type }),
      ...(body !== undefined && type === undefined && { 'content-type': '' }),
    };
    const status = response?.status ?? 0;
    return {
      ...(to !== undefined && { to }),
      method: method as PairStep['method'],
      path: this.#text(to === 'control' ? path.slice(CONTROL_PATH.length) : path),
      ...(address !== undefined && isShared && to !== 'control' && { from: address }),
      ...(key !== undefined && to !== 'control' && { key: this.#text(key) }),
      ...(Object.keys(more).length > 0 && { headers: this.#filled(more) as Record<string, string> }),
      ...(json !== undefined && { body: this.#filled(json) as never }),
      ...(body !== undefined && json === undefined && { raw: this.#text(body) }),
      ...((status < 200 || status >= 300) && { status }),
    };
  }

  #filled(value: unknown, key = ''): unknown {
    if (typeof value === 'string') {
      const signing = this.sources.signings.get(value);
      if (signing !== undefined) return { sign: signing.secret, text: this.#text(signing.text) };
      this.#learnChain(value);
      return this.#text(value);
    }
    if (typeof value === 'number' && ANCHOR_KEYS.has(key)) return this.#anchor ?? value;
    if (key === 'difficulty' && value === this.sources.difficulty) return DIFFICULTY;
    if (Array.isArray(value)) return value.map((item) => this.#filled(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#filled(item, name)]));
  }

  /** Beats of a proof become those of a chain, the first three and the last two of a chain of their own each. */
  #learnChain(value: string): void {
    const work = this.sources.works.find(({ from_hash }) => from_hash === value);
    if (work === undefined) return;
    for (const check of work.spot_checks) {
      if (this.#known.has(check.hash)) continue;
      const before = this.#known.get(check.prev) ?? `hex.${check.prev}`;
      const [kind, name = '', place] = before.split('.');
      const isNext = kind === 'chain';
      const chain = isNext ? name : `c${Object.keys(this.#chains).length}`;
      if (!isNext) {
        this.#chains[chain] = { from: `\${${before}}`, index: check.index - 1, anchor: this.#text(work.anchor_hash) };
        this.#known.set(check.prev, before);
      }
      this.#known.set(check.hash, `chain.${chain}.${isNext ? Number(place) + 1 : 1}`);
    }
  }

  #text(given: string): string {
    const text = given.replaceAll(/([a-z])\1{39,}/g, (run, letter) => `\${repeat.${letter}.${run.length}}`);
    const found = [...this.#known.keys()].filter((value) => text.includes(value));
    if (found.length === 0) return text;
    const longest = found.toSorted((one, other) => other.length - one.length);
    const pattern = new RegExp(longest.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');
    return text.replaceAll(pattern, (value) => `\${${this.#known.get(value)}}`);
  }

  #learn({ request, response }: RawExchange, nth: number): void {
    const json = parse(response?.body ?? '');
    for (const [path, value] of leavesOf(json))
      if (typeof value === 'string' && HANDED_ON.test(value) && !this.#known.has(value))
        this.#known.set(value, `${nth}.${path}`);
    if (!request.url.endsWith('/beat/anchor')) return;
    const { hash } = anchorOf({ json });
    this.#anchor = `\${${nth}.${ANCHOR_INDEX}}`;
    if (hash !== undefined) this.#known.set(hash, `${nth}.${ANCHOR_HASH}`);
  }
}

/** The leaves of a JSON value, with their dotted paths. */
export function leavesOf(json: unknown, path = ''): readonly (readonly [path: string, value: unknown])[] {
  if (typeof json !== 'object' || json === null) return [[path, json]];
  return Object.entries(json).flatMap(([key, item]) =>
    key.includes('.') ? [] : leavesOf(item, path === '' ? key : `${path}.${key}`),
  );
}
