import { describe, expect, it } from 'vitest';
import { clauseById } from '../../spec/clauses/index.js';
import { check, fake, json, local, run } from '../../test/fixtures/fake-target.js';
import { clausesOfDecision, clausesOfField, clausesOfRefusal } from './attribution.js';

describe('the clauses of a field', () => {
  it.each([
    ['init', 'genesis.index', ['init.reply.genesis.index']],
    ['init', '_next_steps', ['init.reply.next-steps']],
    ['init', '_next_steps.heartbeat', ['init.reply.next-steps']],
    ['init', 'latest_beat', ['init.reply']],
    ['register', 'api_key', ['agent.field.api-key']],
    ['register-token', '_info', ['register-token.reply.info']],
    ['heartbeat', 'passport.valid_until', ['passport.field.valid-until']],
    ['heartbeat', 'lineage_proof.issued_at', ['passport.field.issued-at']],
    ['heartbeat', 'passport', ['heartbeat.reply.passport']],
    ['sigil', 'fee.amount_sol', ['fee.field.amount-sol']],
    ['sponsor.get', 'sponsorships.0.created_at', ['sponsor.field.created-at']],
    ['subsidy.delete', 'deleted', ['subsidy.delete.reply']],
    ['partner-webhook.get', 'configured', ['partner-webhook.field.configured']],
    ['register', '', undefined],
  ] as const)('%s: %s', (endpoint, path, clauses) => {
    expect(clausesOfField(endpoint, path)).toEqual(clauses);
    for (const id of clauses ?? []) expect(clauseById(id).id).toBe(id);
  });

  it('are those that the check names beneath it, where it does', () => {
    const forms = ['spawn.probe.reply', 'spawn.cost.check.0-0', 'spawn.finalize.reply'];
    expect(clausesOfField('spawn', 'siblings', forms)).toEqual(['spawn.probe.reply', 'spawn.finalize.reply']);
    const named = ['agent.field.wallet-chain.none', 'lineage.root'];
    expect(clausesOfField('register', 'wallet_chain', named)).toEqual(['agent.field.wallet-chain.none']);
  });
});

it('the clauses of a refusal and of a decision are those that the check names', () => {
  const named = ['register.error.validation.metadata', 'auth.error.auth-missing', 'name.length'];
  expect(clausesOfRefusal('register/VALIDATION', named)).toEqual(['register.error.validation.metadata']);
  expect(clausesOfRefusal('any/AUTH_MISSING', named)).toEqual(['auth.error.auth-missing']);
  expect(clausesOfRefusal('any/BODY_TOO_LARGE', ['error.body-too-large', 'body.unknown-fields'])).toEqual([
    'error.body-too-large',
  ]);
  expect(clausesOfRefusal('heartbeat/SIGIL_REQUIRED', named)).toBeUndefined();
  expect(clausesOfDecision('D-16', named)).toEqual(['name.length']);
  expect(clausesOfDecision('D-40', named)).toBeUndefined();
});

const clauses = ['heartbeat.interval.min', 'heartbeat.error.heartbeat-too-soon', 'error.body.error'];
const refusal = check(
  'heartbeat/soon',
  async (t) => void t.refused(await t.call('heartbeat'), 'heartbeat/HEARTBEAT_TOO_SOON'),
  {
    clauses,
  },
);
const heartbeat = async (status: number, body: unknown) => {
  const { transport } = fake({ 'POST /api/v1/agent/heartbeat': () => json(status, body) });
  const { checks } = await run(local, [refusal], transport, { unprobed: true });
  return checks[0];
};

describe('a refusal', () => {
  it('with another code speaks about its row alone', async () => {
    const result = await heartbeat(429, { error: 'no', code: 'LATER' });
    expect(result).toMatchObject({ verdict: 'fail', fails: ['heartbeat.error.heartbeat-too-soon'] });
  });

  it('without an error string speaks about error bodies', async () => {
    expect(await heartbeat(429, { code: 'HEARTBEAT_TOO_SOON' })).toMatchObject({ fails: ['error.body.error'] });
  });

  it('that does not come speaks about all that the check judges', async () => {
    const result = await heartbeat(200, {});
    expect(result).toMatchObject({ verdict: 'fail', clauses });
    expect(result).not.toHaveProperty('fails');
  });
});

it('an advisory speaks about the clauses of its decision, and the check has shown the others', async () => {
  const names = check('register/names', async (t) => t.decided('D-16', () => t.equal('a', 1, 2)), {
    clauses: ['name.length', 'register.route', 'body.unknown-fields'],
  });
  const { checks } = await run(local, [names], fake().transport, { unprobed: true });
  expect(checks[0]).toMatchObject({
    verdict: 'advisory',
    fails: ['name.length'],
    holds: ['register.route', 'body.unknown-fields'],
  });
});
