/** `--kill-data FILE`: makes power/kills.json from what `--kills FILE` measured: the requests that have shown each mutant nearly every time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MutantKills } from '../conformance/mutants/kills.js';
import { KILLS_SCHEMA, type KillData } from '../power/kill-data.js';
import { root } from './all-mutants.js';

/** The share of the situations with certain facts in which a mistake shows, so that these facts are its witness. */
const SHARE_MIN = 0.8;
const WITNESSES_MAX = 8;
/** Facts that come along with others are a witness only if no other fact is. */
const INCIDENTAL = /^(bytes|share of|\w+ events|\w+ heartbeats|key|json|fields|own spendable|\w+ children) /;

/** A situation, and whether the mistake showed in it. */
interface Situation {
  readonly head: string;
  readonly facts: ReadonlySet<string>;
  readonly shown: boolean;
}

/** A witness: endpoint, reasons to refuse, and facts. */
type Witness = readonly [endpoint: string, outcome: string, ...facts: string[]];

/** The witnesses that together cover the situations in which a mutant showed, the most general first. */
function witnessesOf({ situations }: Pick<MutantKills, 'situations'>): readonly Witness[] {
  const all = situations.map(
    ([[endpoint = '', outcome = '', ...facts], shown]): Situation => ({
      head: `${endpoint}\n${outcome}`,
      facts: new Set(facts),
      shown: shown > 0,
    }),
  );
  let left = all.filter(({ shown }) => shown);
  const found: Witness[] = [];
  for (const size of [0, 1, 2] as const) {
    while (left.length > 0 && found.length < WITNESSES_MAX) {
      const best = bestOf(all, left, size);
      if (best === undefined) break;
      found.push([...(best.head.split('\n') as [string, string]), ...best.facts]);
      left = left.filter((one) => !meets(one, best));
    }
  }
  return found;
}

interface Candidate {
  readonly head: string;
  readonly facts: readonly string[];
}

const meets = (one: Situation, { head, facts }: Candidate): boolean =>
  one.head === head && facts.every((fact) => one.facts.has(fact));

/** The candidate with a number of facts that covers most of what is left. */
function bestOf(all: readonly Situation[], left: readonly Situation[], size: 0 | 1 | 2): Candidate | undefined {
  const covered = new Map<string, { candidate: Candidate; count: number }>();
  for (const { head, facts } of left)
    for (const each of subsetsOf([...facts], size)) {
      const key = [head, ...each].join('\n');
      const known = covered.get(key) ?? { candidate: { head, facts: each }, count: 0 };
      covered.set(key, { ...known, count: known.count + 1 });
    }
  const ranked = [...covered.values()].toSorted(
    (one, other) => other.count - one.count || incidental(one.candidate) - incidental(other.candidate),
  );
  return ranked.find(({ candidate }) => {
    const met = all.filter((one) => meets(one, candidate));
    return met.filter(({ shown }) => shown).length >= SHARE_MIN * met.length;
  })?.candidate;
}

const incidental = ({ facts }: Candidate): number => facts.filter((fact) => INCIDENTAL.test(fact)).length;

function subsetsOf(facts: readonly string[], size: 0 | 1 | 2): readonly (readonly string[])[] {
  if (size === 0) return [[]];
  if (size === 1) return facts.map((fact) => [fact]);
  return facts.flatMap((one, place) => facts.slice(place + 1).map((other) => [one, other]));
}

/** The kill data of measured mutants. */
export function killDataOf(kills: readonly MutantKills[]): KillData {
  const texts = new Map<string, number>();
  const placeOf = (text: string): number => {
    const place = texts.get(text) ?? texts.size;
    texts.set(text, place);
    return place;
  };
  const mistakes = kills
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, clause, checks, situations }) => {
      const requests = witnessesOf({ situations }).map((witness) => witness.map(placeOf));
      if (requests.length > 0) return { id, clause, requests };
      return checks.length > 0 ? { id, clause, checks: checks.toSorted().map(placeOf) } : { id, clause };
    });
  return { schema: KILLS_SCHEMA, texts: [...texts.keys()], mistakes };
}

/** The measured mutants of a file of `--kills`. */
export function killsIn(file: string): readonly MutantKills[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as MutantKills);
}

/** Writes power/kills.json: a mistake a line. */
export function writeKillData(file: string): void {
  const { schema, texts, mistakes } = killDataOf(killsIn(file));
  const rows = mistakes.map((each) => JSON.stringify(each)).join(',\n');
  const content = `{"schema":${JSON.stringify(schema)},\n"texts":${JSON.stringify(texts)},\n"mistakes":[\n${rows}\n]}\n`;
  writeFileSync(join(root, 'power/kills.json'), content);
  const none = mistakes.filter(({ requests, checks }) => requests === undefined && checks === undefined).length;
  const byCheck = mistakes.filter(({ checks }) => checks !== undefined).length;
  console.log(
    `power/kills.json: ${mistakes.length} mistakes, ${byCheck} that only checks show, ${none} that nothing shows`,
  );
}
