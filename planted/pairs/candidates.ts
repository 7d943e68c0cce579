/**
 * Scripts that may show a clause, shortest first: each state that a small world reaches first with some answer, and one request more. That request
 * is a move of the world, a read, or one with a single fault of the fuzzer's tables. They are played once, and the model says what each shows.
 */

import type { Action } from '../../conformance/fuzz/operation.js';
import { fillings } from '../../conformance/fuzz/operations/fill.js';
import { protocol } from '../../spec/protocol.js';
import { AFTER, aimed, aimless, followUps, type Place, READS, type Variants } from './actions.js';
import type { Recorded, Recorder } from './record.js';

/** A path of the world, one action more, and the exchange of that action which shows something. */
export interface Candidate {
  readonly actions: readonly Action[];
  /** The place of the exchange among those of the last action. */
  readonly offset: number;
  /** The subjects of the evidence for the clause: fields of the reply, or a behaviour. */
  readonly abouts: readonly string[];
}

/** The most requests of a limit that is filled, and the number of states in which it is tried. */
const FILLED_MAX = 100;
const LIMIT_PLACES = 4;
const PAID = new Set(['heartbeat', 'reissue-proof', 'sigil']);

/** 4.5 leaves open from when the interval before a first heartbeat counts, so a server may refuse one that follows the start of the chain at once. */
const INTERVAL: Action = {
  op: 'wait',
  by: { anchors: Math.ceil(protocol.heartbeat.intervalBeatsMin / protocol.anchor.beatsPerAnchor) },
};
const isJustStarted = (actions: readonly Action[]): boolean =>
  actions.findLastIndex(({ op }) => op === 'init') > actions.findLastIndex(({ op }) => op === 'wait');

/** Requests that change nothing when they are accepted. */
const HARMLESS = /\/(?:verify\/batch|beat\/verify|beat\/work-proof|register\/token)$/;
const CANDIDATES_MAX = 14;

/** The candidates for each clause; the shortest first. */
export class Index {
  readonly #byClause = new Map<string, Candidate[]>();
  readonly #seen = new Set<string>();
  readonly #answers = new Set<string>();
  readonly #followed = new Set<string>();
  plays = 0;

  constructor(readonly open: () => Promise<{ readonly recorder: Recorder; readonly close: () => Promise<void> }>) {}

  /** All candidates, by clause. */
  all(): ReadonlyMap<string, readonly Candidate[]> {
    return this.#byClause;
  }

  /** Notes the reads that every script begins with. */
  async visitStart(): Promise<void> {
    const { recorder, close } = await this.open();
    const shown = await recorder.play([]).finally(close);
    this.#noteAll(shown, [], -shown.length);
  }

  /** Plays all that may be sent in a state. */
  async visit({ actions, agents, moves }: Place, variants: readonly Variants[]): Promise<void> {
    const session = new Session(this.open, actions);
    const all = Array.from({ length: agents }, (_, agent) => agent);
    try {
      const usual = [...moves, ...all.flatMap((agent) => READS.map((read) => read(agent)))];
      for (const action of usual) await this.#try(session, action);
      for (const variant of variants)
        for (const action of aimed(variant, agents)) {
          const answer = await this.#try(session, action);
          if (answer === undefined || this.#answers.has(`${variant.op} ${answer}`)) continue;
          this.#answers.add(`${variant.op} ${answer}`);
          for (const fault of variant.faults) await this.#try(session, { ...action, ...fault });
        }
    } finally {
      await session.close();
    }
    if (!isJustStarted(actions)) return;
    const isHeartbeat = ({ op }: { readonly op: string }): boolean => op === 'heartbeat';
    const waited = { actions: [...actions, INTERVAL], agents, moves: moves.filter(isHeartbeat) };
    await this.visit(waited, variants.filter(isHeartbeat));
  }

  /** Fills each limit in the first states where that shows something, and sends one request more, or one after the window. */
  async visitLimits(places: readonly Place[], open: Index['open']): Promise<void> {
    for (const [limit, filling] of Object.entries(fillings)) {
      const { count, windowSec } = protocol.limits[limit as keyof typeof protocol.limits];
      const [, op, fieldsOf] = filling;
      if (count > FILLED_MAX) continue;
      const action: Action = { op, agent: 0, ...fieldsOf?.(0, 0), ...(PAID.has(op) && { tx: 'none' }) };
      const repeat = (times: number): Action => ({ op: 'repeat', times, action });
      const later = (sec: number): Action => ({ op: 'wait', by: { ms: (sec + 1) * 1_000 } });
      for (const { actions: path } of places.filter(({ agents }) => agents > 0).slice(0, LIMIT_PLACES)) {
        const beyond = [...path, repeat(count + 1)];
        const clauses = await this.#last(open, beyond, []);
        // A reply within the limit, within the window or after it is about the limit too.
        const others = [
          [...path, repeat(count)],
          [...beyond, later(windowSec), action],
          [...beyond, later(60), action],
        ];
        for (const actions of clauses.length === 0 ? [] : others) await this.#last(open, actions, clauses);
      }
    }
  }

  /** Plays actions, and notes what the last reply shows; that of a limit is about `more` too. Returns the clauses about a limit. */
  async #last(open: Index['open'], actions: readonly Action[], more: readonly string[]): Promise<readonly string[]> {
    const session = new Session(open, actions.slice(0, -1));
    const { shown } = await session.play(actions.at(-1) as Action).finally(() => session.close());
    this.#noteAll(shown.slice(-1), actions, shown.length - 1);
    const status = shown.at(-1)?.exchange.response?.status;
    for (const clause of more)
      this.#note(clause, `${JSON.stringify(actions.slice(-2).map(aimless))} ${status}`, {
        actions,
        offset: shown.length - 1,
        abouts: [],
      });
    const limited = status === 429 ? shown.at(-1)?.evidence.filter(({ ok, level }) => ok && level === 'must') : [];
    return limited?.flatMap(({ clauses }) => clauses) ?? [];
  }

  /** Plays an action, and notes what it shows. Returns its answer. */
  async #try(session: Session, action: Action): Promise<string | undefined> {
    const { shown, changes } = await session.play(action);
    const answer = this.#noteAll(shown, [...session.path, action]);
    if (changes) await this.#follow(session, action, `${answer}`);
    return answer;
  }

  /** Plays what may show the effect of an accepted action, once for each kind of it. */
  async #follow(session: Session, action: Action, answer: string): Promise<void> {
    // Whether a fee is due follows from the wallet, so what changes fees is followed with and without one.
    const isFee =
      action.op in AFTER && session.path.map(({ op }) => op).filter((op) => op === 'wallet' || op === 'sigil');
    const kind = JSON.stringify([aimless(action), answer, isFee]);
    for (const next of this.#followed.has(kind) ? [] : followUps(action, session.agents)) {
      const { shown, changes } = await session.play(next);
      this.#noteAll(shown, [...session.path, action, next]);
      if (!changes) continue;
      await session.close();
      await session.play(action);
    }
    this.#followed.add(kind);
    await session.close();
  }

  #noteAll(shown: readonly Recorded[], actions: readonly Action[], before = 0): string | undefined {
    this.plays += 1;
    const answer = shown.map(answerOf).at(-1);
    const key = JSON.stringify(actions.slice(-2).map(aimless));
    for (const [offset, { evidence }] of shown.entries()) {
      const abouts = new Map<string, string[]>();
      for (const { ok, level, clauses, about } of evidence)
        if (ok && level === 'must')
          for (const clause of clauses) abouts.set(clause, [...(abouts.get(clause) ?? []), about]);
      for (const [clause, all] of abouts)
        this.#note(clause, `${key} ${offset} ${answer} ${all.join()}`, {
          actions,
          offset: before + offset,
          abouts: all,
        });
    }
    return answer;
  }

  #note(clause: string, key: string, candidate: Candidate): void {
    const known = this.#byClause.get(clause) ?? [];
    this.#byClause.set(clause, known);
    if (known.length >= CANDIDATES_MAX || this.#seen.has(`${clause} ${key}`)) return;
    this.#seen.add(`${clause} ${key}`);
    known.push(candidate);
  }
}

const answerOf = ({ exchange: { request, response } }: Recorded): string => {
  const [, code = ''] = /"code":"(\w+)"/.exec(response?.body ?? '') ?? [];
  return `${request.method} ${new URL(request.url).pathname.replace(/0x\w+/, '')} ${response?.status} ${code}`;
};

/** A server in one state, on which requests that change nothing are played one after the other. */
class Session {
  #current: Awaited<ReturnType<Index['open']>> | undefined;

  constructor(
    readonly open: Index['open'],
    readonly path: readonly Action[],
  ) {}

  /** The agents that are there now. */
  get agents(): number {
    return this.#current?.recorder.agents.length ?? 0;
  }

  /** Plays an action in the state of the path, or after those that have changed nothing. */
  async play(action: Action): Promise<{ readonly shown: readonly Recorded[]; readonly changes: boolean }> {
    if (this.#current === undefined) {
      this.#current = await this.open();
      await this.#current.recorder.play(this.path);
    }
    const { recorder } = this.#current;
    const before = recorder.exchanges.length;
    const shown = (await recorder.play([action])).slice(before);
    const changes = shown.some(
      ({ exchange: { request, response } }) =>
        request.method !== 'GET' && (response?.status ?? 0) < 300 && !HARMLESS.test(new URL(request.url).pathname),
    );
    return { shown, changes };
  }

  async close(): Promise<void> {
    await this.#current?.close();
    this.#current = undefined;
  }
}
