/**
 * Plays the suite against the reference in this process, and takes for each clause one request and its reply that gave evidence for it. Secrets are
 * replaced as in reports. The same version gives the same exchanges.
 */

import { allChecks } from '../../conformance/checks/index.js';
import { deploymentNames, loadReference, startInProcess } from '../../conformance/in-process/reference.js';
import { conclude } from '../../conformance/judge/conclude.js';
import { checksByClause } from '../../conformance/judge/coverage.js';
import type { RunRecord } from '../../conformance/judge/record.js';
import { coverOf } from '../../conformance/run/cover.js';
import { checksIn } from '../../conformance/run/in-dialect.js';
import { runSuite } from '../../conformance/run/runner.js';
import { numbersOf } from '../../reports/conformance/failed-exchanges.js';
import type { RecordedExchange } from '../../reports/site/facts.js';
import type { ConformanceResult, Exchange } from '../../results/conformance-result.js';
import { dialects } from '../../spec/dialect.js';

const SEED = 1;
/** A clause is shown by an exchange with a longer body only if no other shows it. */
const BODY_MAX = 4_000;

/** The addresses of the reference in this process, and those that `aips serve` has. */
const ADDRESSES: readonly (readonly [played: RegExp, served: string])[] = [
  [/http:\/\/127\.0\.0\.1:1(?=\/)/g, 'http://127.0.0.1:8787'],
  [/http:\/\/127\.0\.0\.1:2(?=\/)/g, 'http://127.0.0.1:8788'],
  [/http:\/\/127\.0\.0\.1:3(?=\/)/g, 'http://127.0.0.1:8789'],
];

// A clause is to be shown by a check that is about it, not by the requests of others.
const checks = checksIn(allChecks, dialects.service).map((check) => ({ ...check, also: [] }));

/** The checks to play, in parts that threads can play at the same time: the fewest that judge each clause by a check of its own. */
export function checksToRecord(parts: number): readonly (readonly string[])[] {
  const ids = coverOf(checks).map(({ id }) => id);
  return Array.from({ length: parts }, (_, part) => ids.filter((_id, at) => at % parts === part));
}

/** The exchanges of several parts as one: of two for a clause that of a check that judges the clause, else the first. */
export function mergedExchanges(
  parts: readonly ReadonlyMap<string, RecordedExchange>[],
): ReadonlyMap<string, RecordedExchange> {
  const judges = checksByClause(allChecks);
  const merged = new Map<string, RecordedExchange>();
  for (const [clause, found] of parts.flatMap((part) => [...part])) {
    const isOwn = ({ check }: RecordedExchange): boolean => judges.get(clause)?.includes(check) === true;
    const kept = merged.get(clause);
    if (kept === undefined || (!isOwn(kept) && isOwn(found))) merged.set(clause, found);
  }
  return merged;
}

/** The recorded exchanges of some checks by clause. */
export async function recordedExchanges(ids: readonly string[]): Promise<ReadonlyMap<string, RecordedExchange>> {
  const records = await play(ids);
  const [first, ...rest] = records;
  if (first === undefined) throw new RangeError('no check of the dialect service has such an id');
  const result = conclude([first, ...rest], { checks: allChecks });
  const against = result.clauses.filter(({ state }) => state === 'fails').map(({ id }) => id);
  if (against.length > 0) throw new Error(`the reference fails ${against.join(', ')}`);
  const transcripts = new Map(result.checks.map((check) => [check.id, check.transcript]));
  return new Map(
    result.clauses.flatMap((clause) => {
      const found = bestOf(clause, transcripts);
      return found === undefined ? [] : [[clause.id, found] as const];
    }),
  );
}

/** One deployment after another: a check is played by the first that can judge it, one check at a time, so that the order is always the same. */
async function play(ids: readonly string[]): Promise<readonly RunRecord[]> {
  const modules = await loadReference();
  const [done, judged] = [new Set<string>(), new Set<string>()];
  const records: RunRecord[] = [];
  for (const deployment of deploymentNames) {
    const open = checks.filter(
      ({ id, clauses }) => ids.includes(id) && !done.has(id) && clauses.some((clause) => !judged.has(clause)),
    );
    if (open.length === 0) continue;
    const { target, send, close } = startInProcess(modules, { seed: SEED, deployment });
    try {
      const record = await runSuite(target, {
        ...{ seed: SEED, toolVersion: '', concurrency: 1, nowWallMs: Date.now, transport: send, checks },
        ...{ only: open.map(({ id }) => id), quick: true, judged },
      });
      records.push(record);
      for (const { id, verdict, evidence } of record.runs) {
        if (verdict !== 'not-tested') done.add(id);
        for (const clause of evidence.flatMap((one) => one.clauses)) judged.add(clause);
      }
    } finally {
      await close();
    }
  }
  return records;
}

type Clause = ConformanceResult['clauses'][number];

/** The exchange of a check of the clause rather than of another check, and one that is short and not left out of its transcript. */
function bestOf({ checks, evidence }: Clause, transcripts: ReadonlyMap<string, readonly Exchange[]>) {
  const found = evidence.flatMap(({ ok, check, n, about }): RecordedExchange[] => {
    const transcript = transcripts.get(check) ?? [];
    const numbers = numbersOf(transcript);
    const exchange = n === undefined ? undefined : transcript[numbers.indexOf(n)];
    if (!ok || n === undefined || exchange?.response === undefined) return [];
    return [{ check, n, of: numbers.at(-1) ?? n, about, exchange: served(exchange) }];
  });
  const isShort = ({ exchange: { request, response } }: RecordedExchange): boolean =>
    Math.max(request.body?.length ?? 0, response?.body.length ?? 0) <= BODY_MAX;
  const own = found.filter(({ check }) => checks.includes(check));
  return own.find(isShort) ?? found.find(isShort) ?? own[0] ?? found[0];
}

function served({ request, response, at }: Exchange): Exchange {
  const moved = (text: string): string => ADDRESSES.reduce((all, [played, to]) => all.replace(played, to), text);
  const body = request.body === undefined ? {} : { body: moved(request.body) };
  return {
    request: { ...request, url: moved(request.url), ...body },
    ...(response === undefined ? {} : { response: { ...response, body: moved(response.body) } }),
    ...(at === undefined ? {} : { at }),
  };
}
