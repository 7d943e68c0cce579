/** Writes a check of a change as JUnit XML: a suite for each step, a case for each fault and warning, and one for a step without any. */

import type { CheckedFault, CheckStep, SpecCheck } from '../../results/spec-check-result.js';
import { oneLine } from '../../results/visible.js';
import { xmlElement, xmlText } from '../text/xml.js';
import { stepVerdict } from './spec-check-text.js';

type Outcome = 'failure' | 'error' | 'skipped' | 'passed';

interface Case {
  readonly name: string;
  readonly outcome: Outcome;
  readonly text: string;
}

/** JUnit XML: a fault is a `failure`, an accepted one is `skipped`, a warning passes with its text as output, and a step that could not be judged has an `error`. */
export function specCheckJunit({ steps, stale, change, tool_version }: SpecCheck): string {
  const needless: CheckStep = {
    name: 'accepted changes',
    looked: '',
    faults: stale.map((id) => ({ id, text: 'nothing needs this entry any more' })),
  };
  const suites = [...steps, ...(stale.length === 0 ? [] : [needless])].map((step) => ({ step, cases: casesOf(step) }));
  const all = suites.flatMap(({ cases }) => cases);
  const attributes = {
    name: `aips-lab spec check ${change}`,
    time: '0.000',
    tests: all.length,
    failures: counted(all, 'failure'),
    errors: counted(all, 'error'),
  };
  const root = xmlElement('testsuites', attributes, [
    '\n',
    ...suites.map(({ step, cases }, id) => suiteXml(step, cases, { id, tool_version })),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

const counted = (cases: readonly Case[], outcome: Outcome): number =>
  cases.filter((one) => one.outcome === outcome).length;

function casesOf(step: CheckStep): readonly Case[] {
  const { name, looked, faults, warnings = [], unable } = step;
  const caseOf = (fault: CheckedFault, outcome: Outcome): Case => ({
    name: fault.id,
    outcome,
    text: [
      fault.accepted === undefined ? fault.text : `accepted (${fault.accepted}): ${fault.text}`,
      ...(fault.shown === undefined ? [] : [fault.shown]),
      ...(fault.remedy === undefined ? [] : [`fixed by: ${fault.remedy}`]),
    ].join('\n'),
  });
  const cases = [
    ...faults.map((fault) => caseOf(fault, fault.accepted === undefined ? 'failure' : 'skipped')),
    ...warnings.map((warning) => caseOf(warning, 'passed')),
    ...(unable === undefined ? [] : [{ name, outcome: 'error' as const, text: unable }]),
  ];
  return cases.length > 0 ? cases : [{ name, outcome: 'passed', text: `${stepVerdict(step)} (${looked})` }];
}

function suiteXml(
  step: CheckStep,
  cases: readonly Case[],
  { id, tool_version }: { readonly id: number; readonly tool_version: string },
): string {
  const attributes = {
    ...{
      name: step.name,
      tests: cases.length,
      failures: counted(cases, 'failure'),
      errors: counted(cases, 'error'),
      skipped: counted(cases, 'skipped'),
    },
    // A check of a change notes no times; the schema asks for them.
    ...{ time: '0.000', timestamp: '1970-01-01T00:00:00', hostname: 'localhost', id, package: 'aips-lab.spec-check' },
  };
  const head = xmlElement('properties', {}, [xmlElement('property', { name: 'aips_lab', value: tool_version })]);
  return `${xmlElement('testsuite', attributes, ['\n', head, '\n', ...cases.map((one) => `${caseXml(step, one)}\n`)])}\n`;
}

function caseXml(step: CheckStep, { name, outcome, text }: Case): string {
  const message = oneLine(text);
  const children = {
    passed: [xmlElement('system-out', {}, [xmlText(text)])],
    skipped: [xmlElement('skipped', { message })],
    failure: [xmlElement('failure', { message, type: 'fault' }, [xmlText(text)])],
    error: [xmlElement('error', { message, type: 'unable' }, [xmlText(text)])],
  }[outcome];
  return xmlElement('testcase', { name, classname: `aips.${step.name}`, time: '0.000' }, children);
}
