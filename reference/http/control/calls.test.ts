import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Rig, startRig } from '../../../test/http-fixture.js';
import { START_MS } from '../../../test/registry-fixture.js';
import { runningClock } from '../clock.js';
import { controlCalls } from './calls.js';
import { controlDocument } from './openapi.js';

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.close());

async function registered(name: string) {
  return (await rig.call('POST /register', { name })).body;
}

describe('capabilities', () => {
  it('names every call that is served', async () => {
    const { body } = await rig.control('GET capabilities');
    expect(body.calls).toEqual([
      'clock/advance',
      'anchors/stall',
      'ledger/wallets',
      'ledger/transfers',
      'agents/:hash/revoke-key',
      'admin-keys',
      'admin-keys/expire',
      'partners',
      'partners/:ref/suspend',
      'partners/:ref/expire-key',
      'flags/:id/review',
      'fees',
      'webhooks/flush',
      'fingerprint',
      'reset',
    ]);
  });

  it('leaves out the clock that nobody can move, in the document too', async () => {
    const other = await startRig({ clock: runningClock(START_MS, 1) });
    try {
      expect((await other.control('GET capabilities')).body.calls).not.toContain('clock/advance');
      const document = (await other.control('GET openapi.json')).body;
      expect(Object.keys(document.paths)).not.toContain('/control/v1/clock/advance');
      expect((await other.control('POST clock/advance', { ms: 1 })).status).toBe(409);
    } finally {
      await other.close();
    }
  });
});

describe('the document', () => {
  it('is served as it is derived, and describes every call', async () => {
    const told = await rig.control('GET openapi.json');
    expect(told.body).toEqual(JSON.parse(JSON.stringify(controlDocument(controlCalls))));
    expect(told.body.openapi).toBe('3.1.1');
    expect(Object.keys(told.body.paths)).toHaveLength(controlCalls.length + 1);
    const review = told.body.paths['/control/v1/flags/{id}/review'].post;
    expect(Object.keys(review.responses)).toEqual(['200', '400', '401', '404', '409']);
    expect(review.parameters).toEqual([{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]);
  });
});

describe('the token', () => {
  it('is needed for every call, the document too', async () => {
    for (const path of ['capabilities', 'openapi.json', 'fingerprint']) {
      const url = `${rig.running.controlUrl}/control/v1/${path}`;
      expect((await fetch(url)).status).toBe(401);
      expect((await fetch(url, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
    }
  });
});

describe('calls', () => {
  /** What each call answers where nothing is there, with its own reply checked against its own schema. */
  const cases: [string, unknown, number][] = [
    ['POST clock/advance', { anchors: 1 }, 200],
    ['POST clock/advance', { ms: -1 }, 400],
    ['POST anchors/stall', { on: true }, 200],
    ['POST ledger/wallets', { address: '1'.repeat(32), lamports: 5 }, 200],
    ['POST ledger/transfers', { from: '1'.repeat(32), to: '2'.repeat(32), lamports: 1 }, 409],
    [`POST agents/0x${'ab'.repeat(32)}/revoke-key`, {}, 404],
    ['POST admin-keys', {}, 200],
    ['POST admin-keys/expire', { key: 'pva_x' }, 404],
    ['POST partners', { name: 'Acme' }, 200],
    ['POST partners', {}, 400],
    ['POST partners/abc/suspend', {}, 404],
    ['POST partners/abc/expire-key', {}, 404],
    ['POST flags/abc/review', { outcome: 'sustain' }, 404],
    ['POST flags/abc/review', { outcome: 'resolved' }, 400],
    ['PUT fees', { heartbeat_tier1: 1 }, 200],
    ['PUT fees', { heartbeat_tier1: -1 }, 400],
    ['PUT fees', { heartbeat: 1 }, 400],
    ['POST webhooks/flush', {}, 200],
    ['GET fingerprint', undefined, 200],
    ['POST reset', { seed: 3 }, 200],
  ];
  it.each(cases)('%s %j is answered %s', async (name, body, status) => {
    const told = await rig.control(name, body);
    expect(told.status).toBe(status);
    const [verb = '', path = ''] = name.split(' ');
    const found = controlCalls.find(
      (each) =>
        each.method === verb.toLowerCase() && new RegExp(`^${each.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
    );
    if (status === 200) expect(found?.reply.safeParse(told.body).error).toBeUndefined();
    else expect(told.body).toEqual({ error: expect.any(String), code: expect.any(String) });
    if (status > 401) expect(found?.refusals).toContainEqual([status, told.body.code]);
  });

  it('a refused command is not journaled, nor is a flush', async () => {
    await rig.control('POST partners/abc/suspend', {});
    await rig.control('POST webhooks/flush', {});
    expect(rig.commands).toEqual([]);
    await rig.control('PUT fees', {});
    expect(rig.commands.map(({ name }) => name)).toEqual(['control:fees']);
  });
});

describe('admin keys', () => {
  it('open the subsidies until they expire', async () => {
    const { hash } = await registered('agent');
    const body = { agent_hash: hash, fee_type: 'sigil', discount_bps: 100, reason: 'r', valid_until: '2026-02-01' };
    const grant = async (key?: string) => {
      const told = await rig.call('POST /admin/agent/subsidy', body, key);
      return told.status === 200 ? told.body.subsidy.valid_until : [told.status, told.body.code];
    };
    const { key } = (await rig.control('POST admin-keys', {})).body;
    expect(key).toMatch(/^pva_[0-9a-f]{64}$/);
    expect(await grant(key)).toBe('2026-02-01T00:00:00.000Z');
    expect(await grant()).toEqual([401, 'AUTH_MISSING']);
    expect(await grant(`${key}0`)).toEqual([401, 'AUTH_INVALID']);
    await rig.control('POST admin-keys/expire', { key });
    expect(await grant(key)).toEqual([401, 'AUTH_INVALID']);
  });
});

describe('partner keys', () => {
  it('open the webhook until the partner is suspended, each its own', async () => {
    const [one, two] = [
      (await rig.control('POST partners', { name: 'a' })).body,
      (await rig.control('POST partners', { name: 'b' })).body,
    ];
    expect(one.key).toMatch(/^pvt_/);
    expect(one.ref).toMatch(/^[0-9a-f]{16}$/);
    const hook = { url: 'https://hooks.example.com/', events: ['agent.frozen'] };
    const put = async () => (await rig.call('PUT /partner/webhook', hook, one.key)).body.webhook_secret;
    expect(await put()).not.toBe(await put());
    const get = async (key?: string) => {
      const { status, body } = await rig.call('GET /partner/webhook', undefined, key);
      return status === 200 ? body : [status, body.code];
    };
    expect(await get(one.key)).toEqual({ webhook_url: hook.url, events: hook.events, configured: true });
    expect(await get(two.key)).toEqual({ webhook_url: null, events: [], configured: false });
    expect((await rig.call('DELETE /partner/webhook', undefined, two.key)).body).toEqual({ ok: true });
    expect(await get()).toEqual([401, 'AUTH_MISSING']);
    expect(await get('pvt_x')).toEqual([403, 'AUTH_FORBIDDEN']);
    await rig.control(`POST partners/${one.ref}/suspend`, {});
    expect(await get(one.key)).toEqual([403, 'AUTH_FORBIDDEN']);
    expect(await get(two.key)).toMatchObject({ configured: false });
  });

  it('begin with pvp_ on mainnet', async () => {
    const main = await startRig({ policy: { network: 'mainnet', registrationSecret: 's' } });
    try {
      expect((await main.control('POST partners', { name: 'a' })).body.key).toMatch(/^pvp_/);
    } finally {
      await main.close();
    }
  });
});
