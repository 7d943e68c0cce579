import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, endpointOf, outcomeOf } from '../../../test/fixtures/ask.js';
import { authorizationFor, childOf, proofOf, receiptOf } from '../../../test/fixtures/family.js';
import { Deployment, sendRaw, type TestAgent } from '../../../test/fixtures/http.js';
import { beatsRoutes, registryRoutes } from '../server/routes.js';

/** The callers of the table. */
interface Cast {
  readonly deployment: Deployment;
  /** With a SIGIL, a wallet and a started chain. */
  readonly sigilAgent: TestAgent;
  /** With a wallet alone. */
  readonly newcomer: TestAgent;
  readonly child: TestAgent;
  /** Keys: of an agent without a wallet, of an administrator, of a partner. */
  readonly walletless: string;
  readonly admin: string;
  readonly partner: string;
}

let cast: Cast;
let deployment: Deployment;

beforeEach(async () => {
  deployment = await Deployment.start({ overlay: { limits: { spawn: { count: 100 } } } });
  const sigilAgent = await deployment.agent();
  cast = {
    deployment,
    sigilAgent,
    newcomer: await deployment.register(),
    child: await childOf(deployment, sigilAgent, 'kid'),
    walletless: (await deployment.post('/register', { name: 'bare' })).body.api_key,
    admin: (await deployment.control('POST', '/admin-keys', {})).body.key,
    partner: (await deployment.control('POST', '/partners', { name: 'p' })).body.key,
  };
});
afterEach(() => deployment.close());

type Who = 'sigilAgent' | 'newcomer' | 'walletless' | 'admin' | 'partner' | 'nobody';
type BodyOf = (cast: Cast) => object | Promise<object>;
type Row = readonly [clause: string, call: string, who: Who, body: BodyOf | null];

const ZERO = '00'.repeat(32);
const hook = () => ({ url: 'https://hooks.example.com/', events: ['agent.frozen'] });
const grant = ({ sigilAgent }: Cast) => ({
  agent_hash: sigilAgent.hash,
  fee_type: 'sigil',
  discount_bps: 1,
  reason: 'r',
});
const childHash = ({ child }: Cast) => ({ child_hash: child.hash });
const beat = () => ({ beat: { index: 1, hash: ZERO, prev: ZERO } });

/** 4.1, in its order: who may call, and a body that succeeds. */
const keyed: readonly Row[] = [
  ['[init.route]', 'POST /agent/init', 'newcomer', () => ({})],
  [
    '[heartbeat.route]',
    'POST /agent/heartbeat',
    'sigilAgent',
    ({ sigilAgent }) => ({ payment_tx: sigilAgent.pay(500_000) }),
  ],
  [
    '[sigil.route]',
    'POST /sigil',
    'newcomer',
    ({ newcomer }) => ({
      ...{ identity_class: 'narrow_task', principal: 'p', tier: 'org' },
      payment_tx: newcomer.pay(50_000_000),
    }),
  ],
  [
    '[reissue-proof.route]',
    'POST /agent/reissue-proof',
    'sigilAgent',
    ({ sigilAgent }) => ({ payment_tx: sigilAgent.pay(200_000) }),
  ],
  [
    '[spawn.route] [spawn.auth]',
    'POST /agent/spawn',
    'sigilAgent',
    () => ({ child_name: 'two', beats_receipt: receiptOf(deployment, 9_000) }),
  ],
  [
    '[beats-submit.route]',
    'POST /agent/beats/submit',
    'sigilAgent',
    ({ sigilAgent }) => proofOf(deployment, sigilAgent, 3),
  ],
  [
    '[resync.route]',
    'POST /agent/resync',
    'sigilAgent',
    () => {
      deployment.advance(61 * 60_000);
      return { beats_receipt: receiptOf(deployment, 10_000) };
    },
  ],
  ['[metadata.route]', 'PATCH /agent/metadata', 'sigilAgent', () => ({ capability: 'witness' })],
  ['[wallet.route]', 'POST /agent/wallet', 'walletless', () => ({ action: 'challenge' })],
  ['[passport.route]', 'GET /agent/passport', 'sigilAgent', null],
  ['[sponsor.route.post] [sponsor.auth]', 'POST /agent/sponsor', 'sigilAgent', childHash],
  [
    '[sponsor.route.delete] [sponsor.auth]',
    'DELETE /agent/sponsor',
    'sigilAgent',
    async (all) => {
      await ask(deployment, 'POST /agent/sponsor', { as: all.sigilAgent, body: childHash(all) });
      return childHash(all);
    },
  ],
  ['[sponsor.route.get] [sponsor.auth]', 'GET /agent/sponsor', 'sigilAgent', null],
  [
    '[flag.route]',
    'POST /agent/flag',
    'sigilAgent',
    ({ newcomer }) => ({ target_hash: newcomer.hash, asserted_class: 'autonomous', reason: 'r' }),
  ],
  ['[subsidy.route.post]', 'POST /admin/agent/subsidy', 'admin', grant],
  [
    '[subsidy.route.delete]',
    'DELETE /admin/agent/subsidy',
    'admin',
    async (all) => {
      await ask(deployment, 'POST /admin/agent/subsidy', { as: all.admin, body: grant(all) });
      return { agent_hash: all.sigilAgent.hash, fee_type: 'sigil' };
    },
  ],
  ['[partner-webhook.route.put]', 'PUT /partner/webhook', 'partner', hook],
  ['[partner-webhook.route.get]', 'GET /partner/webhook', 'partner', null],
  ['[partner-webhook.route.delete]', 'DELETE /partner/webhook', 'partner', null],
];

/** Calls that need no credential; `:hash` is that of `sigilAgent`. */
const open: readonly Row[] = [
  ['[register-token.route]', 'POST /register/token', 'nobody', () => ({})],
  ['[verify-batch.route]', 'POST /verify/batch', 'nobody', ({ sigilAgent }) => ({ hashes: [sigilAgent.hash] })],
  ['[status.route]', 'GET /status/:hash', 'nobody', null],
  ['[verify.route]', 'GET /verify/:hash', 'nobody', null],
  ['[beat-status.route]', 'GET /agent/beat-status/:hash', 'nobody', null],
  ['[beat-anchor.route]', 'GET /beat/anchor', 'nobody', null],
  ['[beat-verify.route]', 'POST /beat/verify', 'nobody', beat],
  ['[authority-key.route]', 'GET /.well-known/authority-key', 'nobody', null],
  ['[fees-summary.route]', 'GET /fees/summary', 'nobody', null],
  ['[work-proof.route.get]', 'GET beats:/beat/work-proof', 'nobody', null],
  ['[beat-key.route]', 'GET beats:/beat/key', 'nobody', null],
  ['[beat-anchor.route.beats]', 'GET beats:/beat/anchor', 'nobody', null],
  ['[beat-verify.route.beats]', 'POST beats:/beat/verify', 'nobody', beat],
  ['[beat-timestamp.route]', 'POST beats:/beat/timestamp', 'nobody', () => ({ hash: ZERO })],
  ['[health.route]', 'GET beats:/api/health', 'nobody', null],
];

const keyOf = (who: Who): string => {
  const holder = who === 'nobody' ? '' : cast[who];
  return typeof holder === 'string' ? holder : holder.apiKey;
};
const pathOf = (call: string): string => call.replace(':hash', cast.sigilAgent.hash);
const bodyOf = async (body: BodyOf | null) => (body === null ? {} : { body: await body(cast) });

/** The refusal for a key of another kind: an agent's, an administrator's, a partner's. */
const strangers = { agent: '401 AUTH_MISSING', admin: '401 AUTH_INVALID', partner: '403 AUTH_FORBIDDEN' } as const;

describe('a call of 4.1 with a key', () => {
  it.each(keyed)('%s %s is answered to the key of %s, and to no other', async (_clause, call, who, body) => {
    const kind = who === 'admin' || who === 'partner' ? who : 'agent';
    expect(outcomeOf(await ask(deployment, call))).toBe('401 AUTH_MISSING');
    for (const other of ['admin', 'partner', 'sigilAgent'] as const) {
      if (other === kind || (other === 'sigilAgent' && kind === 'agent')) continue;
      expect(outcomeOf(await ask(deployment, call, { as: keyOf(other) }))).toBe(strangers[kind]);
    }
    const sent = await bodyOf(body);
    expect(outcomeOf(await ask(deployment, call, { as: keyOf(who), ...sent }))).toBe('200');
  });

  it.each(keyed.map(([, call, who]) => [call, who] as const))(
    '[convention.bearer] %s takes the key of %s as a bearer token alone',
    async (call, who) => {
      const key = keyOf(who);
      const basic = Buffer.from(`${key}:`).toString('base64');
      for (const headers of [{ Authorization: key }, { Authorization: `Basic ${basic}` }, { 'x-api-key': key }]) {
        expect(outcomeOf(await ask(deployment, call, { headers }))).toBe('401 AUTH_MISSING');
      }
      const { status } = await ask(deployment, call, { as: key });
      expect([401, 403]).not.toContain(status);
    },
  );
});

describe('a public call of 4.1 and D-08', () => {
  it.each(open)('%s %s is answered without a credential, and with a bad one', async (_clause, call, _who, body) => {
    const sent = await bodyOf(body);
    expect(outcomeOf(await ask(deployment, pathOf(call), sent))).toBe('200');
    expect(outcomeOf(await ask(deployment, pathOf(call), { as: 'pvn_x.00', ...sent }))).toBe('200');
  });

  it('[health.route] is the only path that is served outside /api/v1', () => {
    const paths = [...registryRoutes, ...beatsRoutes].map(({ endpoint }) => endpoint.path);
    expect(paths.filter((path) => !path.startsWith('/api/v1/'))).toEqual(['/api/health']);
  });
});

describe('registration and check-in', () => {
  it.each([
    ['none', () => ({})],
    ['a secret', () => ({ 'x-registration-secret': 's' })],
    ['a token', async () => ({ 'x-registration-token': (await deployment.post('/register/token')).body.token })],
  ])('[register.route] a root comes with %s', async (_what, headersOf) => {
    const headers: Record<string, string> = await headersOf();
    const made = await ask(deployment, 'POST /register', { headers, body: { name: 'x' } });
    expect([made.status, made.body.type]).toEqual([200, 'root']);
  });

  it("[register.route] a child comes with its parent's key", async () => {
    const body = { name: 'two', spawn_authorization: await authorizationFor(deployment, cast.sigilAgent, 'two') };
    expect(outcomeOf(await ask(deployment, 'POST /register', { body }))).toBe('401 AUTH_MISSING');
    const made = await ask(deployment, 'POST /register', { as: cast.sigilAgent, body });
    expect([made.status, made.body.parent]).toEqual([200, cast.sigilAgent.hash]);
  });

  it('[checkin.route] still answers, and always the same', async () => {
    for (const as of [cast.sigilAgent.apiKey, 'pvn_x.00']) {
      expect(outcomeOf(await ask(deployment, 'POST /agent/checkin', { as, body: {} }))).toBe('410 GONE');
    }
  });
});

describe('bodies (4)', () => {
  const bodied: readonly Row[] = [
    ['[register.route]', 'POST /register', 'nobody', () => ({ name: 'x' })],
    ...keyed,
    ...open,
  ];
  const withBody = bodied.filter(([, call]) => endpointOf(call).body !== null);

  it.each(withBody.map(([, call, who, body]) => [call, who, body] as const))(
    '[convention.content-type] %s by %s wants application/json',
    async (call, who, body) => {
      const sent = { as: keyOf(who), ...(await bodyOf(body)) };
      const plain = { ...sent, headers: { 'Content-Type': 'text/plain' } };
      expect(outcomeOf(await ask(deployment, call, plain))).toBe('415 CONTENT_TYPE_REQUIRED');
      const precise = { ...sent, headers: { 'Content-Type': 'application/json; charset=utf-8' } };
      expect(outcomeOf(await ask(deployment, call, precise))).toBe('200');
    },
  );

  it.each(withBody.map(([, call, who, body]) => [call, who, body] as const))(
    '[body.unknown-fields] %s by %s ignores a field that nobody knows (D-40)',
    async (call, who, body) => {
      const sent = { ...(await bodyOf(body)).body, nobody_knows: { a: 1 }, constructor: 'x' };
      expect(outcomeOf(await ask(deployment, call, { as: keyOf(who), body: sent }))).toBe('200');
    },
  );

  it('[body.empty] none at all is {} where the content type is JSON (D-40)', async () => {
    for (const [path, key] of [
      ['/register/token', ''],
      ['/agent/init', cast.newcomer.apiKey],
    ]) {
      const head = [`POST /api/v1${path} HTTP/1.1`, 'Host: x', 'Connection: close', `Authorization: Bearer ${key}`];
      const send = (lines: string[]) => sendRaw(deployment.port(), `${[...head, ...lines].join('\r\n')}\r\n\r\n`);
      expect((await send(['Content-Type: application/json', 'Content-Length: 0'])).status).toBe(200);
      expect((await send(['Content-Length: 0'])).status).toBe(415);
    }
  });
});
