// Scenarios in this process and against a server side by side, and what is refused. against.nightly has more scenarios.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  against,
  draft,
  dynasty,
  expectAgreement,
  folder,
  frozen,
  judged,
  type Rivalry,
  serverOf,
  stopServers,
  troubled,
  unlimited,
} from '../../test/fixtures/against.js';
import { aips } from '../../test/fixtures/aips.js';

afterAll(stopServers);

/** Little enough for the poor, who buy their SIGILs with it. */
const deposit = { lamports: 400_000 };
const resync = { feeLamports: 90_000 };
const PAID = 'protocol: { deposit: { lamports: 400000 }, resync: { feeLamports: 90000 } }\npopulations:';

describe('both drivers', () => {
  // Longer runs, and more of them, are for the night.
  it.each<Rivalry>([
    ['departures, outages, stalls and a ledger in trouble', troubled, {}],
    ['sponsors that take over from each other', dynasty, unlimited],
    ['complaints, revocations and subsidies', judged, unlimited],
    ['a deposit and a fee of resyncs', frozen.replace('populations:', PAID), { deposit, resync }],
    ['a random scenario', draft(0).text, draft(0).protocol],
  ])('have the same outcomes and end in the same state: %s', expectAgreement);

  it('disagree where the server has other numbers, and the report says where', async () => {
    await serverOf({ dms: { missedAnchorsMax: 40, warningAnchors: 30 } });
    const { status, disagreements } = await against(frozen);
    expect(status).toBe(1);
    expect(disagreements[0]).toMatchObject({ what: 'heartbeat', inProcess: 'accepted', http: 'AGENT_FROZEN' });
    // Its clock has moved on, so it cannot be driven a second time.
    const again = await aips(folder, 'simulate', 'against', 'scenario.yaml', 'target.yaml');
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('start a fresh server')]);
  });
});

describe('a scenario that is played in-process alone', () => {
  it('is refused with what it uses', async () => {
    await serverOf({});
    const changed = 'interventions: [{ kind: protocol, at: 1h, set: { heartbeat: { tier1FeeLamports: 1 } } }]';
    const forging = frozen.replace('hash_rate: 90k', 'forges: true\n    hash_rate: 90k');
    writeFileSync(join(folder, 'scenario.yaml'), forging.replace('measures:', `${changed}\nmeasures:`));
    const { status, stderr } = await aips(folder, 'simulate', 'against', 'scenario.yaml', 'target.yaml');
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('this scenario has forgery, interventions of kind protocol'),
    ]);
  });
});

describe('a server that cannot be driven', () => {
  it.each([
    ['base_url: http://127.0.0.1:9', 'needs beats_url'],
    ['base_url: http://127.0.0.1:9\nbeats_url: http://127.0.0.1:9', 'needs control'],
    [
      'base_url: http://127.0.0.1:9\nbeats_url: http://127.0.0.1:9\ncontrol: { url: http://127.0.0.1:9, token: x }',
      'needs client_ip',
    ],
    ['base_url: http://example.org', 'add --allow-writes'],
  ])('%j is refused with what is missing', async (target, message) => {
    writeFileSync(join(folder, 'poor.yaml'), `${target}\n`);
    writeFileSync(join(folder, 'scenario.yaml'), frozen);
    const { status, stderr } = await aips(folder, 'simulate', 'against', 'scenario.yaml', 'poor.yaml');
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
