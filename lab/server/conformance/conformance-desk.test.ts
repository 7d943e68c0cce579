// The verdict of runs that judge little or nothing, and which part of a report a later run replaces.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bareTarget, type Target } from '../../../conformance/target/target.js';
import { commandFolder } from '../../../test/fixtures/command-folder.js';
import { referenceHere } from '../../../test/fixtures/target.js';
import { conformanceActions } from './conformance-actions.js';
import { ConformanceDesk, type Watched } from './conformance-desk.js';
import { exchangeActions } from './exchange-actions.js';

let reference: Awaited<ReturnType<typeof referenceHere>>;
beforeAll(async () => {
  reference = await referenceHere();
});
afterAll(() => reference.stop());

/** The desk and its watched run after a run of some checks; `tell` is called as the page is. */
async function after(target: Target, only: readonly string[], tell: (desk: ConformanceDesk, run: Watched) => void) {
  const desk: ConformanceDesk = new ConformanceDesk(target, 1, (run) => tell(desk, run));
  desk.start({ only, total: 9 });
  await desk.idle();
  return desk;
}

const nothing = (): void => undefined;

it('a target that is down gets no verdict but that it could not be judged', async () => {
  const { watched } = await after(bareTarget('http://127.0.0.1:1'), ['status/*'], nothing);
  expect(watched).toMatchObject({ state: 'ended', verdict: { tone: 'open', word: 'Could not judge' } });
  expect(watched?.counts.pass).toBeUndefined();
});

it('a target that hangs and a run that is stopped get none either', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const asked = once(silent, 'request');
  const desk = new ConformanceDesk(
    bareTarget(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`),
    1,
    nothing,
  );
  desk.start({ only: [], total: 9 });
  await asked;
  desk.stop();
  await desk.idle();
  expect(desk.watched?.verdict).toMatchObject({
    tone: 'open',
    text: 'it was interrupted by the page; 0 % of the specification judged',
  });
  silent.closeAllConnections();
  silent.close();
});

it('a run that ended early is named as such, is not compared with unless it is chosen, and finds nothing newly passing', async () => {
  const desk = await after(reference.target, ['status/*'], (of, run) => run.n === 2 && of.stop());
  desk.start({ only: ['status/*'], total: 9 });
  await desk.idle();
  expect(desk.cut).toEqual({ 2: 'it was interrupted by the page' });
  const difference = conformanceActions(desk, commandFolder()).find(({ path }) => path === 'conformance/difference');
  expect(difference?.run({ from: 1 })).toMatchObject({ passing: [], judged: [] });
  expect(desk.start({ only: ['status/*'], total: 9 }).before?.n).toBe(1);
  await desk.idle();
  expect(desk.runs).toEqual([1, 2, 3]);
  const tested = desk.result?.checks.filter(({ verdict }) => verdict === 'pass').length ?? 0;
  expect([desk.watched?.counts.pass, desk.watched?.done]).toEqual([tested, desk.result?.checks.length]);
});

it('a clause says which exchanges of its evidence are kept, and each of these opens; a stopped run repeats its own checks', async () => {
  const desk = await after(reference.target, ['status/*'], (of, run) => run.n === 2 && of.stop());
  const clause = desk.result?.clauses.find(({ evidence }) => evidence.length > 0);
  const actions = [...conformanceActions(desk, commandFolder()), ...exchangeActions(desk, commandFolder())];
  const act = (name: string, body: object) => actions.find(({ path }) => path === `conformance/${name}`)?.run(body);
  const { kept } = (await act('clause', { id: clause?.id, changed: false })) as { readonly kept: readonly string[] };
  expect(kept.length).toBeGreaterThan(0);
  for (const each of kept) {
    const [n = '', ...check] = each.split('/');
    await act('exchange', { id: check.join('/'), n: Number(n), changed: false });
  }
  desk.start({ only: ['status/*', '4.6'], total: 9 });
  await desk.idle();
  const view = (await act('result', { changed: false })) as { readonly writing: object };
  expect(view.writing).toMatchObject({ only: ['status/*', '4.6'] });
});

it('a part that runs again replaces its checks; all others, and a run under a change, stay', async () => {
  const desk = await after(reference.target, ['status/*', 'passport/*'], nothing);
  const [first, checks] = [desk.result, desk.result?.checks.length ?? 0];
  expect(desk.watched?.completes).toBeNull();
  desk.start({ only: ['status/*'], total: 9, again: true });
  await desk.idle();
  expect(desk.watched).toMatchObject({ n: 2, completes: 1, verdict: { tone: 'open' } });
  expect(desk.result?.checks).toHaveLength(checks);
  expect(desk.result).not.toBe(first);
  const passports = desk.result?.checks.filter(({ id }) => id.startsWith('passport/'));
  expect(passports).toEqual(first?.checks.filter(({ id }) => id.startsWith('passport/')));
  desk.start({ only: ['status/*'], total: 9 });
  await desk.idle();
  expect(desk.result?.checks.length).toBeLessThan(checks);
});

it('a fault that is gone leaves the report when what failed runs again', async () => {
  const { control } = reference.target;
  const setFees = (fees: object) =>
    fetch(`${control?.url}/control/v1/fees`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${control?.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(fees),
    });
  await setFees({ heartbeat_tier1: 7 });
  const desk = await after(reference.target, ['heartbeat/accepted', 'heartbeat/too-soon'], nothing);
  expect(desk.watched?.verdict?.tone).toBe('bad');
  await setFees({});
  const repeat = conformanceActions(desk, commandFolder()).find(({ path }) => path === 'conformance/repeat');
  repeat?.run({});
  await desk.idle();
  expect([desk.watched?.verdict?.tone, desk.result?.findings]).toEqual(['open', []]);
});
