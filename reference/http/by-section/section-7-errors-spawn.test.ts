import { afterEach, beforeEach } from 'vitest';
import { authorizationFor, childOf, receiptOf } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { freshKey, thaw } from '../../../test/fixtures/parties.js';
import { describeRefusals, type RefusalRow } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const MINUTE = 60_000;
const NOBODY = `0x${'ab'.repeat(32)}`;
const ask = (parent: TestAgent, body: object) => parent.post('/agent/spawn', body);
const preflight = (parent: TestAgent, beats_receipt: unknown, child_name = 'kid') =>
  ask(parent, { child_name, beats_receipt });
const receipt = (beats = 1_000, difficulty = 1_000) => receiptOf(deployment, beats, { difficulty });
const birth = (parent: TestAgent, body: object) => parent.post('/register', { name: 'kid', ...body });

const ofSpawn: readonly RefusalRow[] = [
  {
    ids: 'spawn.error.receipt-required',
    what: 'a probe',
    is: [
      402,
      'RECEIPT_REQUIRED',
      { required_beats: 1_000, depth: 0, siblings: 0, eligible: false, progress_pct: 0, deficit: 1_000 },
    ],
    pair: async () => {
      const parent = await deployment.register();
      return [ask(parent, { child_name: 'kid' }), () => preflight(parent, receipt())];
    },
  },
  {
    ids: 'spawn.error.insufficient-beats',
    what: 'a receipt for one beat too few',
    is: [400, 'INSUFFICIENT_BEATS'],
    pair: async () => {
      const parent = await deployment.register();
      return [preflight(parent, receipt(999)), () => preflight(parent, receipt(1_000))];
    },
  },
  ...[{}, { child_name: '' }, { child_name: 1 }, { child_name: 'x'.repeat(65) }, { child_hash: '0x12' }].map(
    (fault): RefusalRow => ({
      ids: 'spawn.error.validation',
      what: JSON.stringify(fault),
      is: [400, 'VALIDATION'],
      pair: async () => {
        const parent = await deployment.register();
        const beats_receipt = receipt();
        return [ask(parent, { beats_receipt, ...fault }), () => preflight(parent, beats_receipt)];
      },
    }),
  ),
  ...[
    ['a text', () => 'no receipt'],
    ['one that another key signed', () => receiptOf(deployment, 1_000, {}, freshKey())],
    ['one of too low a difficulty', () => receipt(1_000, 99)],
  ].map(
    ([what, bad]): RefusalRow => ({
      ids: 'spawn.error.validation.receipt',
      what: `a receipt: ${what}`,
      is: [400, 'VALIDATION'],
      pair: async () => {
        const parent = await deployment.register();
        return [preflight(parent, (bad as () => unknown)()), () => preflight(parent, receipt(1_000, 100))];
      },
    }),
  ),
  {
    ids: 'spawn.error.spawn-conflict.receipt',
    what: 'a receipt that was used',
    is: [409, 'SPAWN_CONFLICT'],
    pair: async () => {
      const [parent, used] = [await deployment.register(), receipt()];
      await preflight(parent, used);
      return [preflight(parent, used, 'second'), () => preflight(parent, receipt(), 'second')];
    },
  },
  {
    ids: 'spawn.error.spawn-conflict',
    what: 'a child that is registered already',
    is: [409, 'SPAWN_CONFLICT'],
    pair: async () => {
      const parent = await deployment.register();
      await childOf(deployment, parent, 'kid');
      const beats_receipt = receipt(1_200);
      return [preflight(parent, beats_receipt), () => preflight(parent, beats_receipt, 'second')];
    },
  },
  {
    ids: 'spawn.error.agent-frozen',
    what: 'a frozen parent',
    is: [403, 'AGENT_FROZEN'],
    pair: async () => {
      const parent = await deployment.register();
      await parent.post('/agent/init');
      deployment.advance(61 * MINUTE);
      const refused = await preflight(parent, receipt());
      await thaw(parent);
      return [refused, () => preflight(parent, receipt())];
    },
  },
];

const ofChild: readonly RefusalRow[] = [
  {
    ids: 'spawn.error.spawn-conflict.expired register.error.spawn-conflict',
    what: 'an authorization a millisecond over its 300 seconds',
    is: [409, 'SPAWN_CONFLICT'],
    pair: async () => {
      const parent = await deployment.register();
      const old = await authorizationFor(deployment, parent, 'kid');
      deployment.advance(1);
      const younger = await authorizationFor(deployment, parent, 'kid');
      deployment.advance(300_000);
      return [birth(parent, { spawn_authorization: old }), () => birth(parent, { spawn_authorization: younger })];
    },
  },
  {
    ids: 'register.error.spawn-conflict',
    what: 'an authorization that was used',
    is: [409, 'SPAWN_CONFLICT'],
    pair: async () => {
      const parent = await deployment.register();
      const spawn_authorization = await authorizationFor(deployment, parent, 'kid');
      await birth(parent, { spawn_authorization });
      const next = await authorizationFor(deployment, parent, 'second');
      return [
        birth(parent, { spawn_authorization, name: 'second' }),
        () => birth(parent, { spawn_authorization: next, name: 'second' }),
      ];
    },
  },
  {
    ids: 'register.error.spawn-conflict',
    what: "another parent's authorization",
    is: [409, 'SPAWN_CONFLICT'],
    pair: async () => {
      const [parent, other] = [await deployment.register(), await deployment.register()];
      const spawn_authorization = await authorizationFor(deployment, other, 'kid');
      return [birth(parent, { spawn_authorization }), () => birth(other, { spawn_authorization })];
    },
  },
  {
    ids: 'register.error.agent-not-found',
    what: 'a parent that does not exist',
    is: [404, 'AGENT_NOT_FOUND'],
    pair: async () => {
      const parent = await deployment.register();
      const spawn_authorization = await authorizationFor(deployment, parent, 'kid');
      return [
        birth(parent, { spawn_authorization, parent: NOBODY }),
        () => birth(parent, { spawn_authorization, parent: parent.hash }),
      ];
    },
  },
  ...[{ Authorization: '' }, { Authorization: 'Bearer pvn_x.00' }].map(
    (headers): RefusalRow => ({
      ids: 'register.error.auth-missing.parent key.parent.register',
      what: `the parent key ${JSON.stringify(headers.Authorization)}`,
      is: [401, 'AUTH_MISSING'],
      pair: async () => {
        const parent = await deployment.register();
        const body = {
          name: 'kid',
          parent: parent.hash,
          spawn_authorization: await authorizationFor(deployment, parent, 'kid'),
        };
        return [deployment.post('/register', body, headers), () => parent.post('/register', body)];
      },
    }),
  ),
];

describeRefusals('spawn (7)', ofSpawn);
describeRefusals('registration of a child (7)', ofChild);
