import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.js';
import { controlCalls } from '../../reference/http/control/calls.js';
import { referenceTarget } from '../../runs/server/reference-process.js';
import { controlCallName, controlPaths } from '../../spec/control-calls.js';
import { controlApiMarkdown, EXAMPLES, judgeableWith } from './control-api-doc.js';

const paths = controlCalls.map(({ path }) => path);
const url = 'http://127.0.0.1:1';
const target = referenceTarget({ base_url: url, beats_url: url, control_url: url, control_token: 'none' });

/** The ids of the checks that are not tested when the control API lacks one call. */
async function lostWithout(call: string): Promise<readonly string[]> {
  const whole = await judgeableWith(target, paths);
  const rest = await judgeableWith(
    target,
    paths.filter((path) => path !== call),
  );
  return [...whole.checks].filter((id) => !rest.checks.has(id));
}

describe('docs/control-api.md', () => {
  it('has a row for each call, and each call that a check makes is one of them', async () => {
    const text = await controlApiMarkdown();
    for (const { method, path } of controlCalls) expect(text).toContain(`| \`${method.toUpperCase()} ${path}\` |`);
    expect(allChecks.flatMap(({ controls = [] }) => controls).filter((call) => !paths.includes(call))).toEqual([]);
  });

  it('has the calls of the table that suite and reports read', () => {
    const served = controlCalls.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(controlPaths.map(controlCallName)).toEqual(expect.arrayContaining(served));
    expect(controlPaths.filter((path) => !paths.includes(path))).toEqual(['capabilities']);
  });

  it('has an example of each call, with a body that the call takes', () => {
    const exampled = EXAMPLES.map(([name, body]) => {
      const path = name.slice(name.indexOf(' ') + 1);
      const call = controlCalls.find(
        (one) =>
          new RegExp(`^${one.path.replaceAll(/:\w+/g, '[A-Z]+')}$`).test(path) &&
          name.startsWith(one.method.toUpperCase()),
      );
      call?.body?.parse(JSON.parse(body));
      return call?.path;
    });
    expect(new Set(exampled)).toEqual(new Set(paths));
  });

  it('counts what is lost without a call by the needs of the checks', async () => {
    const withoutKeys = await lostWithout('admin-keys');
    expect(withoutKeys).toContain('subsidy/key-expired');
    expect(withoutKeys.filter((id) => !id.startsWith('subsidy/'))).toEqual([
      'after/subsidies-child',
      'after/subsidies-ended-plain',
      'after/subsidies-expired-root',
      'after/subsidies-frozen-root',
      'at-once/subsidy-delete',
    ]);
    expect(await lostWithout('admin-keys/expire')).toEqual(['subsidy/key-expired']);
    expect(await lostWithout('fingerprint')).toEqual([]);
  });

  it('counts every check that pays as lost without the ledger', async () => {
    const paying = allChecks.filter(({ needs }) => needs.includes('payments')).map(({ id }) => id);
    const { checks } = await judgeableWith(target, ['clock/advance', 'ledger/wallets']);
    expect(paying.length).toBeGreaterThan(100);
    expect(paying.filter((id) => checks.has(id))).toEqual([]);
  });
});
