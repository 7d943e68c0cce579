/** Writes a conformance result as SARIF 2.1.0, a result for each finding at each of its clauses. */

import type { ConformanceResult, Finding, ReportedClause } from '../../results/conformance-result.js';
import { jsonText } from '../../results/json-text.js';
import { countText } from '../../results/numbers.js';
import { visible } from '../../results/visible.js';
import { placeText } from '../../spec/clause.js';
import { annotationLines } from '../text/annotations.js';
import { physicalLocation } from '../text/source-line.js';
import {
  baselineFaults,
  type ConformanceWriting,
  flakyText,
  isUndecided,
  knownText,
  rerunCommand,
} from './conformance-view.js';
import { checkToRepeat, failsRunBy, findingTitle } from './findings-view.js';

/** The schema that a log names. */
export const SARIF_SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const DOCUMENT = 'docs/clauses.md';

/** Options of the writer, besides the result. */
interface SarifWriting extends ConformanceWriting {
  /** The line, from 1, of a clause in docs/clauses.md of the package; a clause without one has a logical location only. */
  readonly lineOf?: (clause: string) => number | undefined;
}

type Level = 'error' | 'warning' | 'note';

/**
 * SARIF 2.1.0: a rule for each clause that does not hold, and a result for each finding at each of its clauses, however many checks met it. A
 * deviation from the text is an error, a decision that is not followed a warning, and what is excused is suppressed. Inconclusive and flaky checks,
 * a run that stopped and an outdated baseline are notifications of the invocation.
 */
export function sarif(result: ConformanceResult, writing: SarifWriting = {}): string {
  const ids = [...new Set(result.findings.flatMap(({ clauses }) => clauses))];
  const byId = new Map(result.clauses.map((clause) => [clause.id, clause]));
  const results = result.findings.flatMap((finding) =>
    finding.clauses.map((id) =>
      resultOf(finding, { id, index: ids.indexOf(id), clause: byId.get(id) }, result, writing),
    ),
  );
  return jsonText({
    $schema: SARIF_SCHEMA,
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

/** The annotations of a result: each finding that is not known, at the target file where the run has one. */
export function conformanceAnnotations(result: ConformanceResult, writing: ConformanceWriting = {}): string {
  const open = result.findings.filter(({ known }) => known === undefined);
  return annotationLines(
    open.map((finding) => ({
      level: severityOf(finding, writing),
      title: `${finding.level}: ${finding.clauses[0] ?? finding.id}`,
      text: messageOf(finding, result, writing),
      at: writing.source,
    })),
  );
}

const severityOf = (finding: Finding, writing: ConformanceWriting): 'error' | 'warning' =>
  finding.level === 'must' || failsRunBy(finding, writing) ? 'error' : 'warning';

function ruleOf(id: string, clause: ReportedClause | undefined) {
  const text = visible(clause?.text ?? id);
  return {
    id: visible(id),
    shortDescription: { text },
    help: { text: clause === undefined ? text : `${capitalized(visible(placeText(clause)))}: ${text}` },
    defaultConfiguration: { level: clause?.level === 'decision' ? 'warning' : 'error' },
    properties: { section: visible(clause?.section ?? ''), level: clause?.level ?? 'must' },
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Place {
  readonly id: string;
  readonly index: number;
  readonly clause: ReportedClause | undefined;
}

function resultOf(finding: Finding, place: Place, result: ConformanceResult, writing: SarifWriting) {
  const { known, level, checks } = finding;
  return {
    ruleId: visible(place.id),
    ruleIndex: place.index,
    kind: 'fail',
    level: severityOf(finding, writing),
    message: { text: messageOf(finding, result, writing) },
    ...locationsOf(place, writing),
    partialFingerprints: { 'aipsFinding/v2': visible(`${finding.id} ${place.id}`) },
    ...(known === undefined
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: visible(knownText(known)) }] }),
    properties: { finding: visible(finding.id), level, checks: checks.map(visible) },
  };
}

function messageOf(finding: Finding, result: ConformanceResult, writing: ConformanceWriting): string {
  const again = checkToRepeat(finding, result);
  return visible(
    [
      `${findingTitle(finding)}: expected ${finding.expected}, got ${finding.actual}`,
      `Met by ${countText(finding.checks.length, 'check')}: ${finding.checks.join(', ')}`,
      ...(again === undefined ? [] : [`Again: ${rerunCommand(result, again, writing)}`]),
    ].join('\n'),
  );
}

/** GitHub shows a result only at a file of the repository: at the target file where there is one, with the clause as related. */
function locationsOf(place: Place, writing: SarifWriting) {
  const clause = locationOf(place, writing);
  if (writing.source === undefined) return { locations: [clause] };
  const { logicalLocations } = clause;
  return { locations: [{ ...physicalLocation(writing.source), logicalLocations }], relatedLocations: [clause] };
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
  const notification = (level: Level, text: string) => ({ level, message: { text: visible(text) } });
  const faults = [
    ...(result.stopped === undefined ? [] : [`the run stopped: ${result.stopped}`]),
    ...(result.checks.length === 0 ? ['no check ran'] : []),
    ...baselineFaults(result),
    ...result.checks.flatMap(({ id, flaky }) => (flaky === undefined ? [] : [`${id} is flaky: ${flakyText(flaky)}`])),
  ];
  const warnings = [
    ...(result.notes ?? []),
    ...(result.unpaid === undefined ? [] : [`not all was paid for: ${result.unpaid}`]),
    ...result.checks.flatMap((check) => (isUndecided(check) ? [`${check.id}: ${check.reason}`] : [])),
  ];
  return {
    executionSuccessful: result.exit_status !== 2,
    exitCode: result.exit_status,
    startTimeUtc: result.started_at,
    endTimeUtc: new Date(endMs).toISOString(),
    toolExecutionNotifications: [
      ...faults.map((text) => notification('error', text)),
      ...warnings.map((text) => notification('warning', text)),
    ],
  };
}
