import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../test/source-tree.js';
import { changedParts, touchedClauses, touchedEndpoints } from './change.js';
import { dialects } from './dialect.js';
import type { Facts } from './endpoint.js';
import { register, resync, wallet } from './endpoints/index.js';
import { openApiOf } from './openapi-endpoints.js';
import { parseOverlay, withOverlay } from './overlay.js';
import { classesOf, errorRows, partnerEventsOf, partsShape, sigilTiersOf } from './parts.js';
import { protocol, protocolNumbers } from './protocol.js';

const under = (text: string) => {
  const parsed = parseOverlay(text, 'o.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return withOverlay(parsed.value);
};

/** The second phase of a wallet link by an operator, without the word that makes it one. */
const link = { operator_wallet_address: '1'.repeat(32), wallet_nonce: 'n', wallet_signature: 's' };

describe('parts of an overlay that are no numbers', () => {
  it('a row of errors has another status, another code, or both, and the others stay', () => {
    const rows = errorRows(under('errors:\n  heartbeat/VOLUME_CAP_REACHED: { status: 409, code: EPOCH_FULL }\n'));
    expect(rows['heartbeat/VOLUME_CAP_REACHED']).toMatchObject({ status: 409, code: 'EPOCH_FULL' });
    expect(rows['heartbeat/HEARTBEAT_TOO_SOON']).toMatchObject({ status: 429, code: 'HEARTBEAT_TOO_SOON' });
    expect(errorRows(protocol)['heartbeat/VOLUME_CAP_REACHED']).toMatchObject({ status: 429 });
  });

  it('a class is added with its numbers, or gone, and an event is gone', () => {
    const held = under(
      'classes: { swarm: { cap: 7, feeLamports: 5 }, orchestrator: false }\nevents: { agent.unfrozen: false }\n',
    );
    expect(classesOf(held)).toEqual(['narrow_task', 'autonomous', 'swarm']);
    expect(classesOf(protocol)).toEqual(['narrow_task', 'autonomous', 'orchestrator']);
    expect(partnerEventsOf(held)).toEqual(['sigil.purchased', 'heartbeat.recorded', 'agent.frozen']);
    expect(protocolNumbers(held)).toEqual(protocolNumbers());
  });

  it('a tier of SIGILs is added or gone, and the fee tiers of heartbeats are made two, or one, by their numbers', () => {
    const held = under('tiers: { gov: true, eph: false, sbx: false }\n');
    expect(sigilTiersOf(held)).toEqual(['sov', 'org', 'ind', 'gov']);
    expect(sigilTiersOf(protocol)).toEqual(['sov', 'org', 'ind', 'eph', 'sbx']);
    const parts = changedParts(protocol, held);
    expect(parts.map(({ path, from, to }) => [path, from, to])).toEqual([
      ['tiers.eph', 'a tier', 'none'],
      ['tiers.sbx', 'a tier', 'none'],
      ['tiers.gov', 'none', 'a tier'],
    ]);
    expect(touchedClauses([], parts)).toEqual([
      'sigil.field.tier',
      'sigil.body.tier',
      'flag.rule.reporter-tier',
      'flag.error.flag-reporter-ineligible.sandbox',
    ]);
    const two = under('heartbeat: { tier3FeeLamports: 300000 }\n').heartbeat;
    expect([two.tier2FeeLamports, two.tier3FeeLamports]).toEqual([300_000, 300_000]);
  });

  it.each([
    ['errors: { heartbeat/NO_SUCH: { status: 409 } }', 'errors.heartbeat/NO_SUCH', 'is no row of errors'],
    ['errors: { any/RATE_LIMITED: { status: 430 } }', 'errors.any/RATE_LIMITED', 'is not changed by data'],
    [
      'errors: { sponsor/AGENT_NOT_FOUND: { status: 400 } }',
      'errors.sponsor/AGENT_NOT_FOUND',
      'is not changed by data',
    ],
    ['errors: { flag/FLAG_SELF: { status: 404 } }', 'errors.flag/FLAG_SELF.status', 'must be none of 404'],
    ['errors: { flag/FLAG_SELF: { status: 500 } }', 'errors.flag/FLAG_SELF.status', 'from 400 to 499'],
    ['errors: { flag/FLAG_SELF: { code: self } }', 'errors.flag/FLAG_SELF.code', 'such as CAP_REACHED'],
    ['errors: { flag/FLAG_SELF: {} }', 'errors.flag/FLAG_SELF', 'a status, a code, or both'],
    ['errors: { flag/FLAG_SELF: { code: VALIDATION } }', 'errors.flag/FLAG_SELF', 'the code of flag/VALIDATION'],
    ['classes: { narrow_task: false }', 'classes.narrow_task', 'is not changed by data'],
    ['classes: { swarm: false }', 'classes.swarm', 'is no class; those of section 2.7 are'],
    ['classes: { autonomous: { cap: 1, feeLamports: 1 } }', 'classes.autonomous', 'its numbers are in heartbeat'],
    ['classes: { swarm: { cap: 50000 } }', 'classes.swarm', 'the cap and the feeLamports of a new one'],
    ['classes: { Swarm: { cap: 1, feeLamports: 1 } }', 'classes.Swarm', 'must be a lower-case word'],
    ['events: { agent.born: false }', 'events.agent.born', 'is no event'],
    ['events: { agent.frozen: false }', 'events.agent.frozen', 'is not changed by data'],
    ['classes: { demigod: { cap: 1, feeLamports: 1 } }', 'classes.demigod', 'a word that is no class'],
    ['tiers: { ind: false }', 'tiers.ind', 'is not changed by data: the suite and the simulator buy'],
    ['tiers: { gov: false }', 'tiers.gov', 'is no tier; those of section 2.7 are sov, org, ind, eph, sbx'],
    ['tiers: { org: true }', 'tiers.org', 'is a tier of the specification'],
    ['tiers: { vip: true }', 'tiers.vip', 'a word that is no tier'],
    ['tiers: { Gov: true }', 'tiers.Gov', 'must be a lower-case word'],
    ['tiers: { gov: { fee: 1 } }', 'tiers.gov', 'must be true, for a tier that is new, or false'],
    ['tiers: { tier4: true }', 'tiers.tier4', 'a fourth needs a rule in reference/registry/fees.ts'],
    ['heartbeat: { tier4FeeLamports: 1 }', 'heartbeat.tier4FeeLamports', 'a fourth needs a rule'],
    ['heartbeat: { tier3HeartbeatsMax: 1 }', 'heartbeat.tier3HeartbeatsMax', 'a fourth needs a rule'],
    ['heartbeat: { tier5: 1 }', 'heartbeat.tier5', 'a fourth needs a rule'],
    ['modes: { ethereum: false }', 'modes.ethereum', 'is no mode that can be switched off; register/operator,'],
    ['modes: { register/ethereum: true }', 'modes.register/ethereum', 'must be false'],
    ['modes: { register/no-wallet: false }', 'modes.register/no-wallet', 'limits.register.count: 0'],
    ['modes: { register/child: false }', 'modes.register/child', 'limits.spawn.count: 0'],
    ['modes: { register/self-custody: false }', 'modes.register/self-custody', 'limits.registerWalletFlow.count: 0'],
    ['modes: { wallet/self-custody: false }', 'modes.wallet/self-custody', 'limits.wallet.count: 0'],
    ['modes: { resync/receipt: false }', 'modes.resync/receipt', 'is not changed by data: nobody comes back'],
  ])('%s is refused with key, line and what to do', (text, key, message) => {
    const parsed = parseOverlay(`# a change\n${text}\n`, 'o.yaml');
    expect(parsed.ok ? [] : parsed.problems).toMatchObject([
      { line: 2, key, message: expect.stringContaining(message) },
    ]);
  });

  it('name the clauses that they touch, and leave no other', () => {
    const held = under('errors: { sigil/SIGIL_ALREADY_EXISTS: { status: 422 } }\nevents: { agent.unfrozen: false }\n');
    const parts = changedParts(protocol, held);
    expect(parts.map(({ path, from, to }) => [path, from, to])).toEqual([
      ['errors.sigil/SIGIL_ALREADY_EXISTS', '409 SIGIL_ALREADY_EXISTS', '422 SIGIL_ALREADY_EXISTS'],
      ['events.agent.unfrozen', 'an event', 'none'],
    ]);
    expect(touchedClauses([], parts)).toEqual([
      'partner-webhook.put.body.events',
      'event.agent-unfrozen',
      'sigil.error.sigil-already-exists',
    ]);
    expect(changedParts(held, held)).toEqual([]);
  });

  it.each([
    ['register/operator', register, { wallet_model: 'operator' }, { name: 'a', action: 'challenge' }],
    ['register/operator', register, { operator_wallet_address: '1'.repeat(32) }, { name: 'a' }],
    ['register/operator', register, { wallet_chain: 'solana' }, { name: 'a', wallet_model: 'self-custody' }],
    ['register/ethereum', register, { wallet_chain: 'ethereum', action: 'challenge' }, { name: 'a' }],
    ['register/ethereum', register, { wallet_address: `0x${'a'.repeat(40)}` }, { name: 'a', wallet_model: 'operator' }],
    ['wallet/operator', wallet, { ...link, wallet_model: 'operator' }, { action: 'challenge' }],
    ['resync/challenge', resync, { action: 'challenge' }, {}],
    ['resync/challenge', resync, { action: 'prove', challenge_nonce: 'n', proof: {} }, {}],
  ] as const)('%s is refused where it is switched off, and nothing else', (mode, endpoint, body, other) => {
    const [held, stated] = [under(`modes: { ${mode}: false }\n`), protocol].map((one) => ({
      protocol: one,
      dialect: dialects.service,
    })) as [Facts, Facts];
    expect(endpoint.mode(body)).toBe(mode);
    expect(endpoint.mode(other)).not.toBe(mode);
    expect(endpoint.body(held).safeParse({ name: 'a', ...body }).success).toBe(false);
    for (const facts of [held, stated]) expect(endpoint.body(facts).safeParse(other).success).toBe(true);
  });

  it('a mode that is switched off is told with its clauses, and nothing of it stands in OpenAPI', () => {
    const held = under('modes: { wallet/operator: false, resync/challenge: false }\n');
    const parts = changedParts(protocol, held);
    expect(parts.map(({ path, from, to }) => [path, from, to])).toEqual([
      ['modes.wallet/operator', 'a mode', 'none'],
      ['modes.resync/challenge', 'a mode', 'none'],
    ]);
    const touched = touchedClauses([], parts);
    expect(touched).toEqual(expect.arrayContaining(['wallet.operator.body', 'resync.prove.body', 'resync.nonce.ttl']));
    expect(touched).not.toContain('resync.receipt.body');
    expect(touchedEndpoints(protocol, held, touched)).toEqual([
      'POST /api/v1/agent/resync',
      'POST /api/v1/agent/wallet',
    ]);
    const after = JSON.stringify(openApiOf('registry', { protocol: held, dialect: dialects.service }));
    expect(after).not.toContain('"prove"');
    expect(after).not.toContain('sync_to_global');
  });

  it('docs/spec-change.md shows an overlay that can be read, with every part that there is', () => {
    const document = readFileSync(join(root, 'docs/spec-change.md'), 'utf8');
    const [, example = ''] = /```yaml\n([^`]*)```/.exec(document) ?? [];
    expect(Object.keys(under(example).parts ?? {}).toSorted()).toEqual(Object.keys(partsShape).toSorted());
  });

  it('OpenAPI has the class, the tier, the status, and no event that is gone', () => {
    const held = under(
      'errors: { heartbeat/AGENT_FROZEN: { status: 423 } }\nclasses: { swarm: { cap: 7, feeLamports: 5 } }\nevents: { agent.unfrozen: false }\ntiers: { gov: true }\n',
    );
    const [before, after] = [protocol, held].map((one) =>
      JSON.stringify(openApiOf('registry', { protocol: one, dialect: dialects.service })),
    );
    expect([before?.includes('"swarm"'), after?.includes('"swarm"')]).toEqual([false, true]);
    expect([before?.includes('"gov"'), after?.includes('"gov"')]).toEqual([false, true]);
    expect([before?.includes('"423"'), after?.includes('"423"')]).toEqual([false, true]);
    expect([before?.includes('agent.unfrozen'), after?.includes('agent.unfrozen')]).toEqual([true, false]);
  });
});
