import { afterEach, describe, expect, it } from 'vitest';
import { conform } from '../conformance/run/runner.js';
import { bareTarget, type Target } from '../conformance/target/target.js';
import { conformanceSummary } from '../reports/conformance/console.js';
import { junit } from '../reports/conformance/junit.js';
import { conformanceMarkdown } from '../reports/conformance/markdown.js';
import { conformancePage } from '../reports/views/conformance-page.js';
import type { ConformanceResult } from '../results/conformance-result.js';
import { conformanceResultSchema } from '../results/conformance-result.js';
import { clauses } from '../spec/clauses/index.js';
import { startPartialServer } from './fixtures/partial-server.js';

/** Every row of 4.1 but register, register/token and init. */
const LACKING = [
  'POST /api/v1/agent/heartbeat',
  'POST /api/v1/sigil',
  'POST /api/v1/agent/reissue-proof',
  'POST /api/v1/agent/spawn',
  'POST /api/v1/agent/beats/submit',
  'POST /api/v1/agent/resync',
  'PATCH /api/v1/agent/metadata',
  'POST /api/v1/agent/wallet',
  'GET /api/v1/agent/passport',
  'POST /api/v1/agent/sponsor',
  'DELETE /api/v1/agent/sponsor',
  'GET /api/v1/agent/sponsor',
  'POST /api/v1/agent/flag',
  'POST /api/v1/agent/checkin',
  'POST /api/v1/verify/batch',
  'GET /api/v1/status/:hash',
  'GET /api/v1/verify/:hash',
  'GET /api/v1/agent/beat-status/:hash',
  'GET /api/v1/beat/anchor',
  'POST /api/v1/beat/verify',
  'GET /api/v1/.well-known/authority-key',
  'GET /api/v1/fees/summary',
  'POST /api/v1/admin/agent/subsidy',
  'DELETE /api/v1/admin/agent/subsidy',
  'PUT /api/v1/partner/webhook',
  'GET /api/v1/partner/webhook',
  'DELETE /api/v1/partner/webhook',
];

const INIT = 'POST /api/v1/agent/init';

/** The parts of 4.2 to 4.4 that the server has, as far as a bare URL lets it be judged without waiting for an hour. */
const HELD = [
  'register.route',
  'register.no-wallet.body.name',
  'register.no-wallet.body.metadata',
  'register.no-wallet.reply',
  'register.operator.challenge',
  'register.operator.message',
  'register.operator.finalize',
  'register.ethereum.challenge',
  'register.ethereum.message',
  'register.self-custody.challenge.reply',
  'register.self-custody.finalize',
  'register.self-custody.reply',
  'register-token.route',
  'register-token.reply.token',
  'register-token.reply.expires-in-sec',
  'init.route',
  'init.body',
  'init.reply',
  'init.idempotent',
  'init.reply.genesis.index',
  'init.reply.again',
  'auth.agent-key.missing',
  'agent.field.api-key',
];

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

/** The suite against the partial server, as a user with nothing but its URL runs it. */
async function judged(
  server: Parameters<typeof startPartialServer>[0],
  more: { readonly target?: Partial<Target>; readonly only?: readonly string[] } = {},
): Promise<ConformanceResult> {
  const { baseUrl, close } = await startPartialServer(server);
  stop = close;
  const { target, ...options } = more;
  return conform(
    { ...bareTarget(baseUrl), ...target },
    { seed: 1, toolVersion: 'test', nowWallMs: Date.now, ...options },
  );
}

const inState = ({ clauses }: ConformanceResult, state: string): readonly string[] =>
  clauses.filter((clause) => clause.state === state).map(({ id }) => id);

/** The must clauses that fail, except those that say that an endpoint exists. */
const broken = (result: ConformanceResult): readonly string[] =>
  result.clauses
    .filter(({ state, level, id }) => state === 'fails' && level === 'must' && !id.includes('.route'))
    .map(({ id }) => id);

const plain = { colour: false };

describe('a server that has registration, tokens and init alone', () => {
  it.each(['html', 'json', 'fastify'] as const)('is told so, where its 404 is that of %s', async (notFound) => {
    const result = await judged({ notFound });
    expect(result.exit_status).toBe(1);
    expect(result.not_served?.map(({ method, path }) => `${method} ${path}`)).toEqual(LACKING);
    expect(result.checks.filter(({ verdict }) => verdict === 'fail')).toHaveLength(LACKING.length);
    expect(broken(result)).toEqual([]);
    expect(inState(result, 'fails').filter((id) => id.includes('.route'))).toHaveLength(LACKING.length);
    expect(inState(result, 'holds')).toEqual(expect.arrayContaining(HELD));
    expect(conformanceResultSchema.parse(result)).toEqual(result);
  });

  it('is told by every report what is there, what is not, and what to do next', async () => {
    const result = await judged({});
    const text = conformanceSummary(result, plain);
    const [verdict, headline = '', counts = ''] = text.split('\n');
    expect(verdict).toMatch(/^Not conformant: 27 endpoints not there; \d+ % of the specification judged$/);
    expect(headline).toMatch(/^Specification: \d+ of [\d,]+ clauses judged: \d+ pass, \d+ fail\. Decisions: /);
    expect(counts).toMatch(/: 27 endpoints not served, /);
    expect(counts).not.toContain('failed');
    expect(text).not.toMatch(/^FAIL/m);
    const url = result.target.base_url;
    for (const line of [
      'NOT SERVED  27 endpoints',
      '4.2 Registration',
      'next: build POST /api/v1/verify/batch (',
      `    aips conform ${url} --only 'verify-batch/*'`,
    ]) {
      expect(text).toContain(line);
    }
    for (const report of [text, conformanceMarkdown(result), conformancePage(result), junit(result)]) {
      for (const name of LACKING) expect(report).toContain(name);
    }
    for (const report of [text, conformanceMarkdown(result), conformancePage(result)]) {
      expect(report).not.toContain('unsupported: [');
    }
  });

  it('has nothing against it but advice once it declares what it has not', async () => {
    const all = await judged({});
    await stop?.();
    const unsupported = [...new Set(all.not_served?.map(({ stem }) => stem))];
    const result = await judged({}, { target: { unsupported } });
    expect(result.exit_status).toBe(0);
    expect(result.not_served).toBeUndefined();
    expect(broken(result)).toEqual([]);
    const waiting = result.checks.find(({ id }) => id === 'register/self-custody');
    expect(waiting).toMatchObject({
      verdict: 'advisory',
      ended: 'needs GET /api/v1/status/:hash, which the target file declares as unsupported',
    });
    expect(inState(result, 'holds')).toContain('register.self-custody.finalize');
  });

  it('does not pass by a choice of checks that need what it has not', async () => {
    const result = await judged({}, { only: ['init/*'] });
    expect(result.checks.find(({ id }) => id === 'init/independent')).toMatchObject({
      verdict: 'fail',
      not_served: 'verify-batch',
    });
    expect(result.not_served?.map(({ endpoint }) => endpoint)).toEqual(expect.arrayContaining(['verify-batch']));
    expect(result.exit_status).toBe(1);
  });
});

describe('a server that has registration and tokens alone', () => {
  it('is told of every other endpoint, though no agent has a chain and registrations end before all checks have run', async () => {
    const result = await judged({ notFound: 'json', hasInit: false });
    const missing = [INIT, ...LACKING];
    expect(new Set(result.not_served?.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set(missing));
    expect(result.checks.filter(({ verdict }) => verdict === 'fail')).toHaveLength(missing.length);
    expect(broken(result)).toEqual([]);
  });
});

describe('a fault of such a server is told of the clauses that it is about', () => {
  it('a field', async () => {
    const result = await judged({ fault: 'genesis-index' });
    expect(result.exit_status).toBe(1);
    expect([...broken(result)].toSorted()).toEqual(['init.reply.genesis.index']);
    const text = conformanceSummary(result, plain);
    expect(text.match(/^FAIL /gm)).toHaveLength(1);
    const said = clauses.find(({ id }) => id === 'init.reply.genesis.index')?.text;
    expect(text).toContain(`clause    init.reply.genesis.index (section 2.3, table of fields, row genesis): ${said}`);
    expect(text).toMatch(/^ {2}again +aips conform http:\S+ --only init\/first --seed 1$/m);
  });

  it('a rule', async () => {
    const result = await judged({ fault: 'second-chain' });
    expect(result.exit_status).toBe(1);
    expect([...broken(result)].toSorted()).toEqual([
      'init.idempotent',
      'init.reply.again',
      'init.reply.already-initialized',
      'init.transition.repeat',
    ]);
    expect(inState(result, 'holds')).toEqual(expect.arrayContaining(['init.route', 'init.reply.genesis']));
  });
});
