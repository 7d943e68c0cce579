// The model next to the checks, where it takes long: each setting of a dialect alone, and permitted servers.
import { expect, it } from 'vitest';
import { type Dialect, dialects, protocolOf } from '../../spec/dialect.js';
import { type DialectSettings, settingsShape } from '../../spec/dialect-settings.js';
import { chaosOf, chaotic } from '../chaos/chaos.js';
import { allChecks } from '../checks/index.js';
import { CHEAP, cheap, loadReference, startInProcess } from '../in-process/reference.js';
import { runSuite } from './runner.js';

const settings = Object.keys(settingsShape) as (keyof DialectSettings)[];

it.each(settings)('has nothing against a server whose dialect has %s alone', async (setting) => {
  const dialect: Dialect = {
    ...dialects.service,
    name: 'own',
    messagePrefix: 'own',
    [setting]: dialects.provenonce[setting],
  };
  const numbers = protocolOf(dialect, CHEAP);
  const { target, send, close } = startInProcess(await loadReference(), { seed: 14, numbers, dialect });
  try {
    const only = ['dialect/*', 'register/*', 'sigil/*', 'work-proof/*', 'beat-verify/*', 'spawn/flow', 'spawn/cost-*'];
    const options = { seed: 14, transport: send, toolVersion: 'test', nowWallMs: Date.now, only };
    const { traffic } = await runSuite(target, options);
    const evidence = Object.values(traffic?.runs ?? {}).flat();
    expect(evidence.filter(({ ok }) => !ok)).toEqual([]);
    expect(evidence.length).toBeGreaterThan(100);
  } finally {
    await close();
  }
});

/** Checks of few requests see every form of a reply. */
const REQUESTS_MAX = 40;
const checks = allChecks.filter(({ requests, exclusive }) => requests <= REQUESTS_MAX && exclusive !== true);

it.each([1, 11, 29, 37])('has no must evidence against the permitted server of seed %d', async (seed) => {
  const chaos = chaosOf(seed);
  const { rateWindow } = chaos;
  const { target, send, serviceOf, close } = startInProcess(await loadReference(), {
    seed,
    numbers: cheap,
    rateWindow,
  });
  try {
    const transport = chaotic(chaos, serviceOf)(send);
    const options = { seed, transport, toolVersion: 'test', nowWallMs: Date.now, checks };
    const { traffic } = await runSuite(target, options);
    if (traffic === undefined) throw new Error('the model saw nothing');
    const evidence = Object.values(traffic.runs).flat();
    expect(evidence.filter(({ ok, level }) => !ok && level === 'must')).toEqual([]);
    expect(evidence.length).toBeGreaterThan(0);
    expect(traffic.model.judged / traffic.model.exchanges).toBeGreaterThan(0.6);
  } finally {
    await close();
  }
});
