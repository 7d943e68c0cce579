import type { CheckResult, ConformanceResult, ReportedClause } from './conformance-result.js';
import {
  baselineFaults,
  type ConformanceWriting,
  failedClauses,
  flakyText,
  isContradicted,
  knownText,
  rerunCommand,
} from './conformance-view.js';
import { jsonText } from './json-text.js';
import { visible } from './visible.js';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const DOCUMENT = 'docs/clauses.md';

/** What the writer may be told besides. */
export interface SarifWriting extends ConformanceWriting {
  /** The line, from 1, of a clause in docs/clauses.md of the package; a clause without one has a logical location only. */
  readonly lineOf?: (clause: string) => number | undefined;
}

type Level = 'error' | 'warning' | 'note';

/**
 * SARIF 2.1.0: a rule for each clause that a check found not to hold, and a result for each such check at each of its clauses.
 * A failure is an error, a decision that is not followed a warning, a known failure is suppressed. Checks that could not tell,
 * a run that stopped and a baseline that is not true any more are notifications of the invocation.
 */
export function sarif(result: ConformanceResult, writing: SarifWriting = {}): string {
  const found = result.checks.filter((check) => isContradicted(check) || check.flaky !== undefined);
  const ids = [...new Set(found.flatMap(failedClauses))];
  const byId = new Map(result.clauses.map((clause) => [clause.id, clause]));
  const results = found.flatMap((check) =>
    failedClauses(check).map((id) =>
      resultOf(check, { id, index: ids.indexOf(id), clause: byId.get(id) }, result, writing),
    ),
  );
  return jsonText({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'aips-lab',
            version: result.tool_version,
            rules: ids.map((id) => ruleOf(id, byId.get(id))),
          },
        },
        invocations: [invocationOf(result)],
        originalUriBaseIds: { AIPS_LAB: { description: { text: 'The folder of the package aips-lab.' } } },
        results,
        properties: {
          target: visible(result.target.base_url),
          network: result.target.network,
          dialect: result.target.dialect,
          seed: result.seed,
        },
      },
    ],
  });
}

function ruleOf(id: string, clause: ReportedClause | undefined) {
  const text = visible(clause?.text ?? id);
  const section = visible(clause === undefined ? '' : `${clause.section} ${clause.section_title}`.trim());
  return {
    id: visible(id),
    shortDescription: { text },
    help: { text: section === '' ? text : `Section ${section}: ${text}` },
    defaultConfiguration: { level: clause?.level === 'decision' ? 'warning' : 'error' },
    properties: { section: visible(clause?.section ?? ''), level: clause?.level ?? 'must' },
  };
}

interface Place {
  readonly id: string;
  readonly index: number;
  readonly clause: ReportedClause | undefined;
}

function resultOf(check: CheckResult, place: Place, result: ConformanceResult, writing: SarifWriting) {
  const { known, flaky } = check;
  const level: Level =
    flaky === undefined && check.verdict === 'advisory' && writing.strict !== true ? 'warning' : 'error';
  return {
    ruleId: visible(place.id),
    ruleIndex: place.index,
    kind: 'fail',
    level,
    message: { text: messageOf(check, result, writing) },
    locations: [locationOf(place, writing)],
    partialFingerprints: { 'aipsCheck/v1': visible(`${check.id} ${place.id}`) },
    ...(known === undefined || flaky !== undefined
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: visible(knownText(known)) }] }),
    properties: { check: visible(check.id), verdict: check.verdict, flaky: flaky !== undefined },
  };
}

function messageOf(check: CheckResult, result: ConformanceResult, writing: SarifWriting): string {
  const found =
    'about' in check
      ? [`${check.about}: expected ${check.expected}, got ${check.actual}`]
      : 'reason' in check
        ? [check.reason]
        : [];
  const flaky = check.flaky === undefined ? [] : [`Flaky: ${flakyText(check.flaky)}`];
  return visible([check.title, ...flaky, ...found, `Again: ${rerunCommand(result, check.id, writing)}`].join('\n'));
}

function locationOf({ id, clause }: Place, { lineOf }: SarifWriting) {
  const startLine = lineOf?.(id);
  const name = visible(id);
  return {
    ...(startLine === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: DOCUMENT, uriBaseId: 'AIPS_LAB' },
            region: { startLine },
          },
        }),
    logicalLocations: [
      {
        name,
        fullyQualifiedName: clause === undefined ? name : `${visible(clause.section)}/${name}`,
        kind: 'clause',
      },
    ],
  };
}

function invocationOf(result: ConformanceResult) {
  const endMs = Date.parse(result.started_at) + Math.round(result.wall_s * 1_000);
  const unclear = result.checks.flatMap((check) => {
    const undecided = check.verdict === 'error' || check.verdict === 'inconclusive';
    return undecided ? [{ level: 'warning', message: { text: visible(`${check.id}: ${check.reason}`) } }] : [];
  });
  const unpaid =
    result.unpaid === undefined
      ? []
      : [{ level: 'warning', message: { text: visible(`not all was paid for: ${result.unpaid}`) } }];
  const faults = [
    ...(result.stopped === undefined ? [] : [`the run stopped: ${result.stopped}`]),
    ...(result.checks.length === 0 ? ['no check ran'] : []),
    ...baselineFaults(result),
  ].map((text) => ({ level: 'error', message: { text: visible(text) } }));
  return {
    executionSuccessful: result.exit_status !== 2,
    exitCode: result.exit_status,
    startTimeUtc: result.started_at,
    endTimeUtc: new Date(endMs).toISOString(),
    toolExecutionNotifications: [...faults, ...unpaid, ...unclear],
  };
}
