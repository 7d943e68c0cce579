import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { findTransaction } from '../../ledger/ledger.js';

let deployment: Deployment;
let agent: TestAgent;

beforeEach(async () => {
  deployment = await Deployment.start({ overlay: { limits: { sigil: { count: 1_000 } } } });
  agent = await deployment.register();
});
afterEach(() => deployment.close());

const buy = (over: object = {}) =>
  agent.post('/sigil', {
    identity_class: 'autonomous',
    principal: 'acme',
    tier: 'ind',
    name: 'weather',
    payment_tx: agent.pay(150_000_000),
    ...over,
  });

describe('POST /sigil (4.6)', () => {
  it('answers with the SIGIL, a passport without alias, and the fee', async () => {
    const { body } = await buy();
    expect(Object.keys(body)).toEqual(['ok', 'sigil', 'passport', 'fee']);
    expect(body.sigil).toMatchObject({ sigil: 'weather*acme*ind', identity_class: 'autonomous', issued_at_beat: 0 });
    expect(body.passport).toMatchObject({
      identity_class: 'autonomous',
      sigil_issued_at_beat: 0,
      last_heartbeat_beat: 0,
    });
    expect(body.fee).toEqual({ amount_sol: 0.15, amount_lamports: 150_000_000, payment_tx: expect.any(String) });
  });

  it('writes the birth to the ledger and names it wherever the SIGIL is shown (D-45)', async () => {
    const { sigil } = (await buy()).body;
    const birth = findTransaction(deployment.host.service.ledger, sigil.birth_tx);
    expect(birth).toMatchObject({ kind: 'memo', text: `sigil weather*acme*ind ${agent.hash}` });
    expect(sigil.explorer_url).toBe(`https://explorer.solana.com/tx/${sigil.birth_tx}?cluster=devnet`);
    expect((await agent.get(`/verify/${agent.hash}`)).body.sigil).toEqual({ ...sigil, generation: 1 });
    expect((await agent.get(`/status/${agent.hash}`)).body.tx_signature).toBe(sigil.birth_tx);
  });

  it.each([
    ['no class', { identity_class: undefined }],
    ['an unknown class', { identity_class: 'Autonomous' }],
    ['no principal', { principal: undefined }],
    ['an upper-case principal', { principal: 'Acme' }],
    ['a principal of 25 characters', { principal: 'a'.repeat(25) }],
    ['a principal with a line end', { principal: 'acme\n' }],
    ['a principal that starts with a hyphen', { principal: '-acme' }],
    ['no tier', { tier: undefined }],
    ['an unknown tier', { tier: 'ORG' }],
    ['a name with a star', { name: 'a*b' }],
    ['an empty name', { name: '' }],
    ['a name of 49 characters', { name: 'a'.repeat(49) }],
    ['a name that is null', { name: null }],
    ['a payment that is a number', { payment_tx: 1 }],
  ])('%s is 400 VALIDATION, and costs nothing', async (_what, over) => {
    const payment_tx = agent.pay(150_000_000);
    const refused = await buy({ payment_tx, ...over });
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION']);
    expect((await buy({ payment_tx })).status).toBe(200);
  });

  it('a refused purchase writes no birth', async () => {
    const { transactions } = deployment.host.service.ledger;
    const before = transactions.size;
    expect((await buy({ payment_tx: 'x' })).status).toBe(400);
    // Only the payment that `buy` makes by default is on the ledger; there is no memo.
    expect([...transactions.values()].slice(before).map(({ kind }) => kind)).toEqual(['transfer']);
  });
});
