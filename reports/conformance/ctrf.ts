/** Writes a conformance result in the Common Test Report Format, a test for each check. */

import type { CheckResult, ConformanceResult } from '../../results/conformance-result.js';
import { jsonText } from '../../results/json-text.js';
import { visible } from '../../results/visible.js';
import {
  baselineFaults,
  type ConformanceWriting,
  type Contradicted,
  failsRun,
  flakyText,
  headline,
  knownText,
  rerunCommand,
} from './conformance-view.js';
import { findingLines, findingsOfCheck } from './findings-view.js';

/** The version of the format, Common Test Report Format, that is written. */
const SPEC_VERSION = '0.0.0';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

interface Test {
  readonly name: string;
  readonly status: Status;
  readonly duration: number;
  readonly suite?: readonly string[];
  readonly message?: string;
  readonly trace?: string;
  readonly rawStatus?: string;
  readonly tags?: readonly string[];
}

/**
 * The run in the Common Test Report Format: a test for each check. What fails the run is `failed`, and names all that the check
 * found with its clauses; a known failure and a check that was not run are `skipped`; one that could not tell is `other`; a
 * decision that is not followed passes with a message. A run that stopped and a baseline that is not true any more are failed tests of their own, so that the report never reads as success.
 */
export function ctrf(result: ConformanceResult, writing: ConformanceWriting = {}): string {
  const tests = [...runTests(result), ...result.checks.map((check) => testOf(check, result, writing))];
  const counted = (status: Status): number => tests.filter((test) => test.status === status).length;
  const start = Date.parse(result.started_at);
  const duration = Math.round(result.wall_s * 1_000);
  const summary = {
    tests: tests.length,
    passed: counted('passed'),
    failed: counted('failed'),
    skipped: counted('skipped'),
    pending: counted('pending'),
    other: counted('other'),
    suites: new Set(tests.map(({ suite }) => suite?.[0])).size,
    start,
    stop: start + duration,
    duration,
    extra: { flaky: result.checks.filter(({ flaky }) => flaky !== undefined).length },
  };
  const { target, seed, exit_status } = result;
  return jsonText({
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    timestamp: new Date(start + duration).toISOString(),
    generatedBy: 'aips conform',
    results: {
      tool: { name: 'aips-lab', version: result.tool_version },
      summary,
      tests: tests.map((test) => ({ ...test })),
      environment: { testEnvironment: visible(target.base_url) },
      extra: { network: target.network, dialect: target.dialect, seed, exit_status, coverage: headline(result) },
    },
  });
}

function testOf(check: CheckResult, result: ConformanceResult, writing: ConformanceWriting): Test {
  const message = messageOf(check, result, writing);
  return {
    name: visible(check.id),
    status: statusOf(check, writing),
    duration: Math.round(check.wall_ms),
    suite: [visible(check.id.split('/')[0] ?? check.id)],
    ...(message === undefined ? {} : { message }),
    ...(check.verdict === 'pass' ? {} : { trace: visible(rerunCommand(result, check.id, writing)) }),
    rawStatus: check.verdict,
    tags: tagsOf(check),
  };
}

function tagsOf({ clauses, known, flaky }: CheckResult): readonly string[] {
  return [
    ...clauses.map(visible),
    ...(known === undefined ? [] : ['known-failure']),
    ...(flaky === undefined ? [] : ['flaky']),
  ];
}

function statusOf(check: CheckResult, writing: ConformanceWriting): Status {
  if (failsRun(check, writing)) return 'failed';
  if (check.known !== undefined) return 'skipped';
  switch (check.verdict) {
    case 'pass':
    case 'advisory':
      return 'passed';
    case 'fail':
      return 'failed';
    case 'not-tested':
    case 'not-applicable':
      return 'skipped';
    case 'inconclusive':
    case 'error':
      return 'other';
    default:
      return check satisfies never;
  }
}

function messageOf(check: CheckResult, result: ConformanceResult, writing: ConformanceWriting): string | undefined {
  const standing = [
    ...(check.flaky === undefined ? [] : [`flaky: ${flakyText(check.flaky)}`]),
    ...(check.known === undefined ? [] : [`known ${knownText(check.known)}`]),
  ];
  const found = 'about' in check ? foundBy(check, result, writing) : 'reason' in check ? [check.reason] : [];
  const ended = check.ended === undefined ? [] : [`ended early: ${check.ended}`];
  const lines = [...standing, ...found, ...ended];
  return lines.length === 0 ? undefined : visible(lines.join('\n'));
}

function foundBy(check: Contradicted, result: ConformanceResult, writing: ConformanceWriting): readonly string[] {
  const lines = findingsOfCheck(result, check.id, writing).flatMap((finding) => findingLines(finding, result));
  return lines.length > 0 ? lines : [`${check.about}: expected ${check.expected}, got ${check.actual}`];
}

function runTests(result: ConformanceResult): readonly Test[] {
  const faults = [
    ...(result.stopped === undefined ? [] : [`the run stopped: ${result.stopped}`]),
    ...(result.stopped === undefined && result.checks.length === 0 ? ['no check ran'] : []),
    ...baselineFaults(result),
  ];
  return faults.map((text, index) => ({
    name: `run-${index + 1}`,
    status: 'failed',
    duration: 0,
    suite: ['run'],
    message: visible(text),
  }));
}
