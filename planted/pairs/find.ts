/** Finds minimal pairs: for each clause the first scripts that show a mistake of it, without the steps that they do not need. */

import {
  differences,
  isSame,
  type PairService,
  type Played,
  type PlayedReply,
  playScript,
  type Script,
} from '../../conformance/pairs/play.js';
import { at } from '../../model/reading/values.js';
import type { Expected, Pair, PairStep, Pairs } from '../../results/pairs.js';
import { clauseById } from '../../spec/clauses/index.js';
import type { PlantedMutant } from '../mistake.js';
import type { Candidate } from './candidates.js';
import { expectedOf, merged, type Outcome, pathsOf, shortened } from './expect.js';
import { Recorder } from './record.js';
import { named, without } from './shorten.js';

/** Opens a service for one script. */
export type Open = () => Promise<PairService & { readonly close: () => Promise<void> }>;

/** A planted mistake, with a server that has it. */
interface Planted {
  readonly mutant: PlantedMutant;
  readonly open: Open;
  readonly end: () => Promise<void>;
}

/** A script that shows mistakes of a clause. */
export interface Shown {
  readonly script: Script;
  readonly key: string;
  expect: Expected;
  readonly right: PlayedReply;
  readonly wrong: PlayedReply;
  readonly mutant: Pick<PlantedMutant, 'id' | 'title'>;
  readonly kills: string[];
}

export const SALT = 'pairs';
/** Right servers are this many anchors apart. */
const ANCHORS = 101;

export class Finder {
  /** Why mistakes are not shown, by the id of each. */
  readonly missed = new Map<string, string>();
  readonly #recordings = new Map<
    string,
    Promise<{ readonly script: (last: number) => Script; readonly before: number }>
  >();
  readonly #rights = new Map<string, Promise<readonly Outcome[]>>();
  readonly #firsts = new Map<string, Promise<Played>>();

  /** `reference`: the server that scripts are recorded on. `rights`: others that the text permits, the reference with another seed first. */
  constructor(
    readonly reference: Open,
    readonly rights: readonly Open[],
  ) {}

  /** The scripts that show mistakes of a clause. */
  async find(candidates: readonly Candidate[], mutants: readonly Planted[]): Promise<readonly Shown[]> {
    const found: Shown[] = [];
    for (const planted of mutants) {
      try {
        await this.#findOne(found, candidates, planted);
      } finally {
        await planted.end();
      }
    }
    return found;
  }

  async #findOne(found: Shown[], candidates: readonly Candidate[], { mutant, open: wrong }: Planted): Promise<void> {
    const known = await firstOf(found, async (shown) => ((await this.#kills(shown, wrong)) ? shown : undefined));
    if (known !== undefined) {
      known.kills.push(mutant.id);
      return;
    }
    const shown = await firstOf(candidates, (candidate) => this.#show(candidate, mutant, wrong));
    if (shown === undefined) return;
    this.missed.delete(mutant.id);
    const same = found.find(({ key }) => key === shown.key);
    if (same === undefined) found.push(shown);
    else {
      same.expect = merged(same.expect, shown.expect);
      same.kills.push(mutant.id);
    }
  }

  async #kills({ script, expect }: Shown, wrong: Open): Promise<boolean> {
    const played = await playedOn(wrong, script);
    return 'reply' in played && differences(expect, played.reply, played.values).length > 0;
  }

  async #show(candidate: Candidate, mutant: PlantedMutant, wrong: Open): Promise<Shown | undefined> {
    const recording = await this.#recording(candidate);
    const whole = recording.script(recording.before + candidate.offset);
    const [right, other] = [await this.#right(whole), await playedOn(wrong, whole)];
    if ('reply' in right && 'reply' in other && isEqual(right, other)) return this.#miss(mutant, 'no reply differs');
    const { abouts } = candidate;
    if (!isAbout(right, other, abouts))
      return this.#miss(mutant, 'a reply differs, but not in what the clause is about');
    const script = await this.#shortest(whole, wrong, abouts);
    const wrongly = await playedOn(wrong, script);
    const rights = await this.#permitted(script);
    const rightly = await this.#right(script);
    if (!('reply' in wrongly) || !('reply' in rightly) || rights.length === 0)
      return this.#miss(mutant, 'the script holds values of one server');
    const expect = expectedOf([rightly, ...rights], wrongly, abouts, clauseById(mutant.clause).demand);
    if (expect === undefined) return this.#miss(mutant, 'no test of a field tells right from wrong');
    const { id, title } = mutant;
    return {
      script,
      key: JSON.stringify(script),
      expect,
      right: rightly.reply,
      wrong: wrongly.reply,
      mutant: { id, title },
      kills: [id],
    };
  }

  #miss({ id }: PlantedMutant, reason: string): undefined {
    this.missed.set(id, reason);
  }

  /** A script without each step whose absence changes nothing of how right and wrong differ. */
  async #shortest(script: Script, wrong: Open, abouts: readonly string[]): Promise<Script> {
    const wanted = signOf(await this.#right(script), await playedOn(wrong, script), abouts);
    let shortest = script;
    for (let step = script.steps.length - 2; step >= 0; step -= 1) {
      const shorter = step < shortest.steps.length - 1 ? without(shortest, step) : undefined;
      if (shorter === undefined) continue;
      if (signOf(await this.#right(shorter), await playedOn(wrong, shorter), abouts) !== wanted) continue;
      // A wait may be for those right servers alone whose intervals begin earlier than those of the reference.
      const isWait = shortest.steps[step]?.path === waiting(1).path;
      if (!isWait || (await this.#statuses(shorter)) <= (await this.#statuses(shortest))) shortest = shorter;
    }
    return named(shortest);
  }

  /** By how many statuses right servers answer a script; all successes are one. */
  async #statuses(script: Script): Promise<number> {
    const rights = await this.#permitted(script);
    return new Set(rights.map(({ reply: { status } }) => (status < 300 ? 200 : status))).size;
  }

  #recording(candidate: Candidate) {
    return kept(this.#recordings, JSON.stringify(candidate.actions), async () => {
      const service = await this.reference();
      try {
        const recorder = new Recorder(service, SALT);
        const before = (await recorder.play(candidate.actions.slice(0, -1))).length;
        await recorder.play(candidate.actions.slice(-1));
        return { script: (last: number) => recorder.script(last), before };
      } finally {
        await service.close();
      }
    });
  }

  #right(script: Script): Promise<Played> {
    return kept(this.#firsts, JSON.stringify(script), () => playedOn(this.reference, script));
  }

  #permitted(script: Script): Promise<readonly Outcome[]> {
    return kept(this.#rights, JSON.stringify(script), async () => {
      const played: Played[] = [];
      // Each with other names and wallets, and at another anchor.
      for (const [nth, open] of this.rights.entries())
        played.push(await playedOn(open, script, `${SALT}:${nth}`, ANCHORS * (nth + 1)));
      // Where the reference with another seed cannot be played, the script holds values of the first one.
      return played[0] !== undefined && 'reply' in played[0] ? played.filter((each) => 'reply' in each) : [];
    });
  }
}

const waiting = (anchors: number): PairStep => ({
  to: 'control',
  method: 'POST',
  path: '/clock/advance',
  body: { anchors },
});

/** Plays a script on a server that is new, or as one, after some anchors. */
async function playedOn(open: Open, script: Script, salt = SALT, anchors = 0): Promise<Played> {
  const service = await open();
  try {
    if (anchors > 0) await playScript(service, { steps: [waiting(anchors)] }, salt);
    return await playScript(service, script, salt);
  } finally {
    await service.close();
  }
}

const isEqual = (one: Outcome, other: Outcome): boolean =>
  one.reply.status === other.reply.status && isSame(one.reply.json, other.reply.json);

/** Whether a wrong reply differs by its status, or in a field that the clause is about. */
function isAbout(right: Played, wrong: Played, abouts: readonly string[]): boolean {
  if (!('reply' in right) || !('reply' in wrong)) return false;
  const paths = ['code', ...pathsOf(abouts, [right.reply.json, wrong.reply.json])];
  return (
    right.reply.status !== wrong.reply.status ||
    paths.some((path) => !isSame(at(right.reply.json, path), at(wrong.reply.json, path)))
  );
}

/** How right and wrong differ, in a text. */
function signOf(right: Played, wrong: Played, abouts: readonly string[]): string {
  if (!('reply' in right)) return 'the right server cannot be played';
  const of = (played: Played): unknown =>
    'reply' in played ? [played.reply.status, at(played.reply.json, 'code') ?? null] : 'unplayed';
  const differing = abouts.map(
    (about) => 'reply' in wrong && !isSame(at(right.reply.json, about), at(wrong.reply.json, about)),
  );
  return JSON.stringify([of(right), of(wrong), differing, 'reply' in wrong && isEqual(right, wrong)]);
}

async function firstOf<T, R>(all: readonly T[], of: (one: T) => Promise<R | undefined>): Promise<R | undefined> {
  for (const one of all) {
    const found = await of(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function kept<K, V>(cache: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const known = cache.get(key) ?? make();
  cache.set(key, known);
  return known;
}

/** The pairs of a clause. */
interface FoundClause {
  readonly clause: string;
  readonly shown: readonly Shown[];
  readonly missed: readonly (readonly [mistake: string, why: string])[];
}

/** Pairs of all clauses: each script once, with the clauses that it shows; the shortest first. */
export function pairsOf(found: readonly FoundClause[], statementOf: (clause: string) => string): Pair[] {
  const byScript = new Map<string, Pair>();
  for (const { clause, shown } of found)
    for (const { key, script, expect, right, wrong, mutant, kills } of shown) {
      const known = byScript.get(key)?.shows ?? [];
      const tested = [...known.flatMap((each) => each.expect.fields), ...expect.fields];
      const said = { mistake: mutant.id, title: mutant.title, ...shortened(wrong, expect.fields) };
      const shows = [...known, { clause, statement: statementOf(clause), expect, wrong: said, kills }];
      byScript.set(key, { ...script, right: shortened(right, tested), shows });
    }
  return [...byScript.values()].toSorted((one, other) => one.steps.length - other.steps.length);
}

/** Clauses without a pair, by the reason: that of the first mistake of theirs that is missed. */
export function outsideOf(must: readonly string[], found: readonly FoundClause[]): Pairs['outside'] {
  const byClause = new Map(found.map((each) => [each.clause, each]));
  const reasons = new Map<string, string[]>();
  for (const clause of must) {
    const each = byClause.get(clause);
    if (each !== undefined && each.shown.length > 0) continue;
    const reason =
      each === undefined
        ? 'no script of the small world shows it'
        : (each.missed[0]?.[1] ?? 'no mistake of it is planted in a server of the kind that scripts are played on');
    reasons.set(reason, [...(reasons.get(reason) ?? []), clause]);
  }
  return [...reasons].map(([reason, clauses]) => ({ reason, clauses }));
}

/** The text of the file, a line for each pair. */
export function pairsText({ pairs, outside, ...head }: Pairs): string {
  const lines = (all: readonly unknown[]): string => all.map((each) => `\n  ${JSON.stringify(each)}`).join(',');
  const start = JSON.stringify(head).slice(0, -1);
  return `${start},\n "pairs": [${lines(pairs)}\n ],\n "outside": [${lines(outside)}\n ]}\n`;
}
