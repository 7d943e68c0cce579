import { describe, expect, it } from 'vitest';
import { needHint } from './need-hints.js';

describe('needHint', () => {
  it.each([
    ['the target file names no control API', 'control: { url, token }'],
    ['no clock can be moved: the target file names no control API with clock/advance', 'aips serve --clock manual'],
    ["the target's clock moves by itself, so no moment can be met exactly", 'aips serve --clock manual'],
    ['the target file names no way to pay (payments)', 'payments: { kind: control }'],
    ['only a mock ledger does this: payments: { kind: control } would do it', 'keeps a mock ledger'],
    ['the wallet Ada of payments.key_file holds 5 lamports, and 10 are needed next', 'put more into that wallet'],
    ['the target does not tell clients apart (client_ip)', 'client_ip: x-forwarded-for'],
    ['the target file names no beats service (beats_url)', 'beats_url'],
    ['the target lacks beats', 'beats_url'],
    ['the target file has no admin_key', 'admin_key'],
    ['the target file has no partner_key', 'partner_key'],
    ['the target file does not say where webhooks can be received', 'webhooks: { listen, public_url }'],
    ['it writes, and the target is not on this machine: --allow-writes lets it', '--allow-writes'],
    ['the run was stopped: the budget of 100 requests is used up', 'budget: { requests, lamports, minutes }'],
    ['one address has too few registrations an hour left for it: give client_ip, or a clock', 'client_ip'],
    ['POST /api/v1/register is rate limited and asks to come back in 3600 s', 'a restart has emptied the limits'],
  ])('for "%s" says %s', (reason, hint) => {
    expect(needHint(reason)).toContain(hint);
  });

  it.each([
    'D-02 is not followed: POST /api/v1/agent/beats/submit answers a proof with 400 {"error":"no clock"}',
    'needs POST /api/v1/agent/beats/submit to be accepted, and got 404',
  ])('has no advice where a target lacks nothing: %s', (reason) => {
    expect(needHint(reason)).toBeUndefined();
  });

  it.each(['the clocks differ', 'uncontrolled', 'overbudget', 'only on mainnet', ''])(
    'has nothing to say about "%s"',
    (reason) => {
      expect(needHint(reason)).toBeUndefined();
    },
  );
});
