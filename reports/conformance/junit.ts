/** Writes a conformance result as JUnit XML, a case for each check. */

import type { CheckResult, ConformanceResult } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { oneLine } from '../../results/visible.js';
import { xmlElement, xmlText } from '../text/xml.js';
import {
  baselineFaults,
  type ConformanceWriting,
  failsRun,
  flakyText,
  headline,
  isUndecided,
  knownText,
  rerunCommand,
} from './conformance-view.js';
import { curlScript } from './curl.js';
import { failsRunBy, findingLines, findingsOfCheck, findingTitle } from './findings-view.js';

interface Case {
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped';
  readonly seconds: number;
  readonly xml: string;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

/**
 * JUnit XML with the attributes and the order of elements of the schema that Jenkins and Surefire share: one suite for each stem of check ids. A
 * failed check is a `failure`, which names all that the check found with its clauses; an inconclusive check is an `error`; one that was not run is
 * `skipped`, and so is a known failure; a decision that is not followed passes with a note, or is a `failure` when the run is strict. A run that
 * stopped, ran nothing or ends with another status than 0 for a reason that no check shows has an `error` of its own, so that it never reads as
 * success.
 */
export function junit(result: ConformanceResult, writing: ConformanceWriting = {}): string {
  const suites = [...runSuites(result, writing), ...stemSuites(result, writing)];
  const all = suites.flatMap((suite) => suite.cases);
  const root = xmlElement(
    'testsuites',
    {
      name: 'aips-lab conformance',
      time: secondsOf(all),
      tests: all.length,
      failures: counted(all, 'failed'),
      errors: counted(all, 'error'),
    },
    ['\n', ...suites.map((suite, index) => suiteXml(suite, index, result))],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function counted(cases: readonly Case[], outcome: Case['outcome']): number {
  return cases.filter((one) => one.outcome === outcome).length;
}

function secondsOf(cases: readonly Case[]): string {
  return cases.reduce((sum, one) => sum + one.seconds, 0).toFixed(3);
}

function suiteXml(suite: Suite, index: number, result: ConformanceResult): string {
  const properties = [
    ['base_url', result.target.base_url],
    ['network', result.target.network],
    ['dialect', result.target.dialect],
    ['seed', String(result.seed)],
    ['aips_lab', result.tool_version],
    ['coverage', headline(result)],
  ] as const;
  const attributes = {
    name: suite.name,
    tests: suite.cases.length,
    failures: counted(suite.cases, 'failed'),
    errors: counted(suite.cases, 'error'),
    skipped: counted(suite.cases, 'skipped'),
    time: secondsOf(suite.cases),
    // Both schemas in use take a date without fraction and zone; the time is UTC.
    timestamp: result.started_at.slice(0, 19),
    hostname: 'localhost',
    id: index,
    package: 'aips-lab.conformance',
  };
  const head = xmlElement(
    'properties',
    {},
    properties.map(([name, value]) => xmlElement('property', { name, value })),
  );
  return `${xmlElement('testsuite', attributes, ['\n', head, '\n', ...suite.cases.map((one) => `${one.xml}\n`)])}\n`;
}

function stemSuites(result: ConformanceResult, writing: ConformanceWriting): Suite[] {
  const stems = new Map<string, Case[]>();
  for (const check of result.checks) {
    const stem = check.id.split('/')[0] ?? check.id;
    stems.set(stem, [...(stems.get(stem) ?? []), caseOf(check, result, writing)]);
  }
  return [...stems].map(([name, cases]) => ({ name, cases }));
}

function caseOf(check: CheckResult, result: ConformanceResult, writing: ConformanceWriting): Case {
  const { outcome, children } = outcomeOf(check, result, writing);
  const seconds = check.wall_ms / 1000;
  const attributes = {
    name: check.id,
    classname: `aips.${check.id.split('/')[0] ?? check.id}`,
    time: seconds.toFixed(3),
    status: check.verdict,
  };
  return { outcome, seconds, xml: xmlElement('testcase', attributes, children) };
}

function outcomeOf(
  check: CheckResult,
  result: ConformanceResult,
  writing: ConformanceWriting,
): { outcome: Case['outcome']; children: string[] } {
  if (check.known !== undefined && check.flaky === undefined) {
    const message = oneLine(`known ${knownText(check.known)}: ${messageOf(check, result, writing)}`);
    return { outcome: 'skipped', children: [xmlElement('skipped', { message })] };
  }
  const flaky = check.flaky === undefined ? '' : `flaky (${flakyText(check.flaky)}): `;
  switch (check.verdict) {
    case 'pass':
      return { outcome: 'passed', children: [] };
    case 'fail':
    case 'advisory': {
      const message = oneLine(`${flaky}${messageOf(check, result, writing)}`);
      const text = xmlText(details(check, result, writing));
      if (failsRun(check, writing)) {
        return { outcome: 'failed', children: [xmlElement('failure', { message, type: check.verdict }, [text])] };
      }
      return { outcome: 'passed', children: [xmlElement('system-out', {}, [xmlText(`advisory: ${message}\n`), text])] };
    }
    case 'not-tested':
    case 'not-applicable': {
      const message = oneLine(`${check.verdict}: ${check.reason}`);
      return { outcome: 'skipped', children: [xmlElement('skipped', { message })] };
    }
    case 'inconclusive':
    case 'error': {
      const text = xmlText(details(check, result, writing));
      const attributes = { message: oneLine(flaky + check.reason), type: check.verdict };
      return { outcome: 'error', children: [xmlElement('error', attributes, [text])] };
    }
    default:
      return check satisfies never;
  }
}

/** The finding of a check that fails the run, or else its first, in one line; and how many more there are. */
function messageOf(check: CheckResult, result: ConformanceResult, writing: ConformanceWriting): string {
  const findings = findingsOfCheck(result, check.id, writing);
  const [first] = findings;
  if (first === undefined) {
    if ('about' in check) return `${check.about}: expected ${check.expected}, got ${check.actual}`;
    return 'reason' in check ? check.reason : '';
  }
  const more = findings.filter((finding) => finding !== first && failsRunBy(finding, writing)).length;
  const found = `${findingTitle(first)}: expected ${first.expected}, got ${first.actual}`;
  return `${found} (${first.clauses.join(', ')})${more === 0 ? '' : `, and ${countText(more, 'finding')} more`}`;
}

function details(check: CheckResult, result: ConformanceResult, writing: ConformanceWriting): string {
  const found = findingsOfCheck(result, check.id, writing).flatMap((finding) => findingLines(finding, result));
  const script = curlScript(check.transcript);
  return [
    check.title,
    ...('reason' in check ? [`reason: ${check.reason}`] : []),
    ...found,
    ...(check.ended === undefined ? [] : [`ended early: ${check.ended}`]),
    `run again: ${rerunCommand(result, check.id, writing)}`,
    ...(script === '' ? [] : ['', script]),
  ].join('\n');
}

function runSuites(result: ConformanceResult, writing: ConformanceWriting): Suite[] {
  const stopped = runError(result, writing);
  const faults = baselineFaults(result).map((text, index) => runCase(`baseline-${index + 1}`, text));
  const cases = [...(stopped === undefined ? [] : [runCase('run', stopped)]), ...faults];
  return cases.length === 0 ? [] : [{ name: 'run', cases }];
}

function runCase(name: string, reason: string): Case {
  const error = xmlElement('error', { message: oneLine(reason), type: 'run' }, [xmlText(reason)]);
  const xml = xmlElement('testcase', { name, classname: 'aips.run', time: '0.000', status: 'error' }, [error]);
  return { outcome: 'error', seconds: 0, xml };
}

function runError(result: ConformanceResult, writing: ConformanceWriting): string | undefined {
  if (result.stopped !== undefined) return `the run stopped: ${result.stopped}`;
  if (result.checks.length === 0) return 'no check ran';
  const shown = result.checks.some((check) => failsRun(check, writing) || isUndecided(check));
  if (result.exit_status === 0 || shown || baselineFaults(result).length > 0) return undefined;
  return `the run ended with status ${result.exit_status}: ${headline(result)}`;
}
