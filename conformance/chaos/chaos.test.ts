import { describe, expect, it } from 'vitest';
import type { Transport, WireReply, WireRequest } from '../wire/transport.js';
import { chaosOf, chaotic } from './chaos.js';
import { permittedForms } from './forms.js';
import { permitting } from './permitting.js';

const seeds = Array.from({ length: 200 }, (_, seed) => seed);
const idsOf = (seed: number): readonly string[] => chaosOf(seed).forms.map(({ id }) => id);

const request: WireRequest = {
  method: 'POST',
  url: 'http://127.0.0.1:1/api/v1/register',
  headers: { authorization: 'Bearer pvn_YQ.00ff' },
  body: '{"name":"a/b é","metadata":{"at":"2026-01-01T00:00:00Z","n":-1.5e300,"count":500000}}',
  timeoutMs: 1,
  replyBytesMax: 1,
};

/** A server that gives back what it was sent, and a key. */
const echo: Transport = async ({ body = '{}', headers }) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ok: true, api_key: headers['authorization']?.slice(7), ...(JSON.parse(body) as object) }),
});
const form = (id: string) => permittedForms.filter((each) => each.id === id);
const formed = (ids: readonly string[], sent = request): Promise<WireReply> =>
  permitting(echo, ids.flatMap(form), () => 'registry')(sent);

describe('permitted forms', () => {
  it('are at least eighty, each with the place where the text leaves it open', () => {
    expect(permittedForms.length).toBeGreaterThanOrEqual(80);
    expect(new Set(permittedForms.map(({ id }) => id)).size).toBe(permittedForms.length);
    for (const { id, open } of permittedForms) expect(open, id).not.toBe('');
  });

  it.each(permittedForms.filter(({ text }) => text !== undefined).map(({ id }) => id))(
    '%s writes the same JSON in another way',
    async (id) => {
      const [plain, other] = [await formed([]), await formed([id])];
      expect(other.body).not.toBe(plain.body);
      expect(JSON.parse(other.body)).toEqual(JSON.parse(plain.body));
    },
  );

  it('understand the names that they gave', async () => {
    const { api_key } = JSON.parse((await formed(['keys-otherwise'])).body) as { api_key: string };
    expect(api_key).toMatch(/^pvn_[\w-]+\.M00ff$/);
    const again = await formed(['keys-otherwise'], { ...request, headers: { authorization: `Bearer ${api_key}` } });
    expect(JSON.parse(again.body)).toMatchObject({ api_key });
  });

  it('leave what a client sent as it was', async () => {
    const { body } = await formed(['time-offset-east', 'hex-upper-case']);
    expect(JSON.parse(body)).toMatchObject({ metadata: { at: '2026-01-01T00:00:00Z' } });
  });

  it('tell the fault of a body in place of a missing key', async () => {
    const refusing: Transport = async () => ({
      status: 401,
      headers: {},
      body: '{"error":"no","code":"AUTH_MISSING"}',
    });
    const told = async (body: string): Promise<unknown> => {
      const url = 'http://127.0.0.1:1/api/v1/sigil';
      const reply = await permitting(refusing, form('body-before-key'), () => 'registry')({ ...request, url, body });
      return [reply.status, (JSON.parse(reply.body) as { code: string }).code];
    };
    expect(await told('{')).toEqual([400, 'INVALID_JSON']);
    expect(await told('{}')).toEqual([400, 'VALIDATION']);
    const whole = { identity_class: 'autonomous', principal: 'a', tier: 'org', payment_tx: '1'.repeat(64) };
    expect(await told(JSON.stringify(whole))).toEqual([401, 'AUTH_MISSING']);
  });
});

describe('the server of a seed', () => {
  it('is the same each time, and another for another seed', () => {
    expect(idsOf(7)).toEqual(idsOf(7));
    expect(idsOf(7).length).toBeGreaterThan(20);
    expect(new Set(seeds.map((seed) => idsOf(seed).join())).size).toBe(seeds.length);
  });

  it('has at most one form of a group', () => {
    for (const seed of seeds) {
      const groups = chaosOf(seed).forms.flatMap(({ group }) => group ?? []);
      expect(new Set(groups).size, `seed ${seed}`).toBe(groups.length);
    }
  });

  it('has every form, and every kind of window, for some of two hundred seeds', () => {
    const seen = new Set(seeds.flatMap(idsOf));
    expect(permittedForms.filter(({ id }) => !seen.has(id))).toEqual([]);
    const windows = new Set(seeds.map((seed) => chaosOf(seed).rateWindow));
    expect([...windows].toSorted()).toEqual(['clock', 'first-request', 'refilling', 'sliding']);
  });

  it('leaves control calls as they are', async () => {
    const control = { ...request, url: 'http://127.0.0.1:3/control/v1/reset' };
    for (const seed of seeds.slice(0, 10)) {
      expect(await chaotic(chaosOf(seed), () => undefined)(echo)(control)).toEqual(await echo(control));
    }
  });

  it('serves requests that overlap in an order of its seed, whatever the time', async () => {
    const order = async (seed: number, busyMs: number): Promise<readonly number[]> => {
      const served: number[] = [];
      const noting: Transport = (sent) => {
        const untilMs = performance.now() + busyMs;
        while (performance.now() < untilMs);
        served.push(Number(sent.timeoutMs));
        return echo(sent);
      };
      const send = chaotic({ ...chaosOf(seed), forms: [], latencyMax: 24 }, () => 'registry')(noting);
      await Promise.all(Array.from({ length: 100 }, (_, timeoutMs) => send({ ...request, timeoutMs })));
      return served;
    };
    const [first, again, busy, other] = [await order(1, 0), await order(1, 0), await order(1, 1), await order(2, 0)];
    expect([again, busy]).toEqual([first, first]);
    expect(other).not.toEqual(first);
    expect(first).not.toEqual(first.toSorted((one, next) => one - next));
  });
});
