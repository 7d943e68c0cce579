import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { CheckResult } from '../../results/conformance-result.js';
import { visible } from '../../results/visible.js';
import { type Element, elementsOf, readXml, textOf } from '../../test/fixtures/markup-reader.js';
import {
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  FINDINGS,
  HOSTILE,
  hostileConformance,
  lackingConformance,
  standingConformance,
} from '../../test/fixtures/results.js';
import { root as folder } from '../../test/source-tree.js';
import { junit } from './junit.js';

function named(root: Element, name: string): readonly Element[] {
  return elementsOf(root).filter((element) => element.name === name);
}

function caseOf(root: Element, id: string): Element {
  const found = named(root, 'testcase').find((element) => element.attributes.get('name') === id);
  if (found === undefined) throw new Error(`no testcase ${id}`);
  return found;
}

/** The contents that each element may have in the schema that Jenkins and Surefire share; a star marks what it must. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  testsuites: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'],
  testsuite: [
    'name*',
    'tests*',
    'failures',
    'errors',
    'time',
    'disabled',
    'skipped',
    'timestamp',
    'hostname',
    'id',
    'package',
  ],
  properties: [],
  property: ['name*', 'value*'],
  testcase: ['name*', 'assertions', 'time', 'classname', 'status'],
  failure: ['type', 'message'],
  error: ['type', 'message'],
  skipped: ['type', 'message'],
  'system-out': [],
};

const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  testsuites: ['testsuite'],
  testsuite: ['properties', 'testcase'],
  properties: ['property'],
  testcase: ['skipped', 'error', 'failure', 'system-out'],
};

function expectSchema(root: Element): void {
  expect(root.name).toBe('testsuites');
  for (const element of elementsOf(root)) {
    const allowed = ATTRIBUTES[element.name];
    expect(allowed, element.name).toBeDefined();
    const plain = allowed?.map((name) => name.replace('*', '')) ?? [];
    for (const name of element.attributes.keys()) expect(plain, `${element.name} ${name}`).toContain(name);
    for (const name of allowed?.filter((one) => one.endsWith('*')) ?? []) {
      expect([...element.attributes.keys()]).toContain(name.slice(0, -1));
    }
    const children = element.children.flatMap((child) => (typeof child === 'string' ? [] : [child.name]));
    for (const child of children) expect(CHILDREN[element.name] ?? [], element.name).toContain(child);
    if (element.name === 'testsuite') expect(children.lastIndexOf('properties')).toBeLessThan(1);
  }
}

async function xsdFaults(contents: string): Promise<readonly string[]> {
  const schema = readFileSync(join(folder, 'test/fixtures/junit.xsd'), 'utf8');
  const xml = [{ fileName: 'junit.xml', contents }];
  const { errors } = await validateXML({ xml, schema: [{ fileName: 'junit.xsd', contents: schema }] });
  return errors.map(({ message }) => message);
}

function expectCounts(root: Element): void {
  const count = (element: Element, name: string): string => String(named(element, name).length);
  for (const suite of named(root, 'testsuite')) {
    expect(suite.attributes.get('tests')).toBe(count(suite, 'testcase'));
    expect(suite.attributes.get('failures')).toBe(count(suite, 'failure'));
    expect(suite.attributes.get('errors')).toBe(count(suite, 'error'));
    expect(suite.attributes.get('skipped')).toBe(count(suite, 'skipped'));
  }
  expect(root.attributes.get('tests')).toBe(count(root, 'testcase'));
  expect(root.attributes.get('failures')).toBe(count(root, 'failure'));
  expect(root.attributes.get('errors')).toBe(count(root, 'error'));
}

describe('junit', () => {
  it.each([
    ['every verdict', conformanceFixture()],
    ['known and flaky checks', standingConformance()],
    ['only passes', cleanConformance()],
    ['no check', emptyConformance()],
    ['a missing endpoint', lackingConformance()],
    ['hostile text', hostileConformance()],
  ])('is well formed, fits the schema and counts right with %s', async (_, result) => {
    for (const strict of [false, true]) {
      const text = junit(result, { strict });
      const root = readXml(text);
      expectSchema(root);
      expectCounts(root);
      expect(await xsdFaults(text)).toEqual([]);
    }
  });

  it('the XSD would refuse a case with two outcomes', async () => {
    const text = junit(conformanceFixture()).replace('<failure ', '<error/><failure ');
    expect(await xsdFaults(text)).toEqual([expect.stringContaining("Element 'failure': This element is not expected")]);
  });

  it('skips a known failure with its reason, fails a flaky check, and names what is wrong with the baseline', () => {
    const root = readXml(junit(standingConformance()));
    const [skipped] = named(caseOf(root, 'heartbeat/too-soon'), 'skipped');
    expect(skipped?.attributes.get('message')).toBe(
      'known until 2026-12-31: the interval is being reworked (https://example.org/7): POST /api/v1/agent/heartbeat: status: expected 429 HEARTBEAT_TOO_SOON, got 200 (heartbeat.interval.min, heartbeat.interval.body)',
    );
    const [failure] = named(caseOf(root, 'heartbeat/frozen'), 'failure');
    expect(failure?.attributes.get('message')).toContain(
      'flaky (seed 7 pass, seed 8 advisory): POST /api/v1/agent/heartbeat: code: expected AGENT_FROZEN',
    );
    const [error] = named(caseOf(root, 'status/found'), 'error');
    expect(error?.attributes.get('message')).toContain('flaky (seed 7 pass, seed 8 inconclusive): three replies');
    const [fault] = named(caseOf(root, 'baseline-1'), 'error');
    expect(fault?.attributes.get('message')).toBe(
      'heartbeat.reply in heartbeat/accepted passes again: take it off the list',
    );
  });

  it('a failure of which a part is excused says in its message what is not, and counts no more', () => {
    const known = { reason: 'being fixed', expires: '2026-12-31' };
    const [finding] = FINDINGS;
    if (finding === undefined) throw new Error('the fixture has a finding');
    const findings = [
      { ...finding, known, about: 'excused' },
      { ...finding, about: 'first' },
      { ...finding, about: 'second' },
    ];
    const failed = caseOf(readXml(junit(conformanceFixture({ findings }))), 'heartbeat/too-soon');
    const [failure] = named(failed, 'failure');
    expect(failure?.attributes.get('message')).toMatch(/^POST \S+: first: expected .*, and 1 finding more$/);
    expect(textOf(failed)).toMatch(/: excused: .*\n {2}known until 2026-12-31: being fixed/);
  });

  it('has one suite for each stem', () => {
    const root = readXml(junit(conformanceFixture()));
    expect(named(root, 'testsuite').map((suite) => suite.attributes.get('name'))).toEqual([
      'register',
      'heartbeat',
      'partner-webhook',
      'dms',
      'resync',
      'work-proof',
      'status',
      'verify',
    ]);
    expect(root.attributes.get('tests')).toBe('10');
    expect(root.attributes.get('failures')).toBe('1');
    expect(root.attributes.get('errors')).toBe('2');
  });

  it.each([
    ['register/no-wallet', undefined, undefined],
    [
      'heartbeat/too-soon',
      'failure',
      'POST /api/v1/agent/heartbeat: status: expected 429 HEARTBEAT_TOO_SOON, got 200 (heartbeat.interval.min, heartbeat.interval.body)',
    ],
    ['heartbeat/frozen', 'system-out', undefined],
    ['partner-webhook/put', 'skipped', 'not-applicable: the target declares partner-webhook unsupported'],
    ['dms/frozen', 'skipped', 'not-tested: the target offers no clock'],
    ['status/found', 'error', 'three replies in a row were 503'],
    ['verify/found', 'error', 'the check threw: cannot read the reply'],
  ])('%s becomes %s', (id, name, message) => {
    const found = caseOf(readXml(junit(conformanceFixture())), id);
    const [outcome] = found.children.flatMap((child) => (typeof child === 'string' ? [] : [child]));
    expect(outcome?.name).toBe(name);
    expect(outcome?.attributes.get('message')).toBe(message);
    expect(found.attributes.get('classname')).toBe(`aips.${id.split('/')[0]}`);
  });

  it('tells the clause, the command and the curl of a failure', () => {
    const text = textOf(caseOf(readXml(junit(conformanceFixture())), 'heartbeat/too-soon'));
    expect(text).toContain(
      'clause heartbeat.interval.min (section 4.5, paragraph “Minimum interval”): Heartbeats lie at least 10 beats apart.',
    );
    expect(text).toContain('ended early: needs next_eligible_beat, which is not there');
    expect(text).toContain('# protocol time goes on by 9 min, to 2026-01-01T00:09:00.000Z');
    expect(text).toContain('aips conform http://127.0.0.1:8787 --only heartbeat/too-soon --seed 7');
    expect(text).toContain('send -X POST http://127.0.0.1:8787/api/v1/agent/heartbeat');
    expect(text).toContain(`-H 'authorization: Bearer '"$API_KEY_1"`);
  });

  it('fails an advisory when the run is strict', () => {
    const root = readXml(junit(conformanceFixture(), { strict: true }));
    expect(root.attributes.get('failures')).toBe('2');
    expect(named(caseOf(root, 'heartbeat/frozen'), 'failure')[0]?.attributes.get('type')).toBe('advisory');
  });

  it('passes only when everything did', () => {
    const root = readXml(junit(cleanConformance()));
    expect(root.attributes.get('failures')).toBe('0');
    expect(root.attributes.get('errors')).toBe('0');
    expect(root.attributes.get('tests')).toBe('2');
  });

  const untested: CheckResult[] = conformanceFixture().checks.filter((check) => check.verdict === 'not-tested');
  it.each([
    ['a run that stopped', emptyConformance(), 'the run stopped: three refused connections in a row'],
    ['no check', { ...emptyConformance(), exit_status: 2 as const, stopped: '' }, 'the run stopped: '],
    [
      'nothing but untested checks',
      conformanceFixture({
        checks: untested,
        exit_status: 2,
        findings: [],
        summary: emptyConformance().summary,
      }),
      'the run ended with status 2: Specification: 0 of 13 clauses judged: 0 pass, 0 fail. Decisions: 0 of 1 clauses judged: 0 pass, 0 fail',
    ],
  ])('is red for %s', (_, result, message) => {
    const root = readXml(junit(result));
    expect(root.attributes.get('errors')).toBe('1');
    expect(named(root, 'error')[0]?.attributes.get('message')).toBe(message.trim());
    expectCounts(root);
  });

  it('is red for zero checks even when nothing says that the run stopped', () => {
    const { stopped, ...result } = emptyConformance();
    expect(stopped).toBe('three refused connections in a row');
    const root = readXml(junit(result));
    expect(named(root, 'error')[0]?.attributes.get('message')).toBe('no check ran');
    expect(root.attributes.get('tests')).toBe('1');
  });

  it('keeps hostile text, with characters that XML forbids replaced', () => {
    const text = junit(hostileConformance());
    expect(text).not.toContain('<script');
    const failure = named(readXml(text), 'failure')[0];
    expect(failure === undefined ? '' : textOf(failure)).toContain(`expected ${visible(HOSTILE)}`);
    expect(visible(HOSTILE)).toContain(']]>␀␇␛[31mred[U+202E]\ufffd');
  });
});
