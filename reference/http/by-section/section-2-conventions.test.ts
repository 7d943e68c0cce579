import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpoints } from '../../../spec/endpoints/index.js';
import { once, Session } from '../../../test/fixtures/session.js';

/** A field of a reply: its name, its value, and its path. */
interface Found {
  readonly field: string;
  readonly value: unknown;
  readonly at: string;
}

function* fieldsOf(value: unknown, at: string): Generator<Found> {
  if (typeof value !== 'object' || value === null) return;
  for (const [field, inner] of Object.entries(value)) {
    yield { field, value: inner, at: `${at}.${field}` };
    yield* fieldsOf(inner, `${at}.${field}`);
  }
}

let session: Session;
let found: readonly Found[];

/** A session whose replies contain every field with a convention. */
beforeAll(async () => {
  session = await Session.start();
});
beforeEach(
  once(async () => {
    const parent = await session.sigilAgent();
    const child = await session.child(parent);
    await session.sponsor(parent, child, { expires_in_hours: 1 });
    await session.heartbeat(child);
    await session.heartbeat(parent);
    await session.reissue(parent);
    await session.sponsorships(parent);
    await session.ok('GET /agent/passport', undefined, parent.authorization);
    await session.ok('POST /agent/beats/submit', await session.proof(parent, 5), parent.authorization);
    const subsidy = {
      agent_hash: parent.hash,
      fee_type: 'sigil',
      discount_bps: 1,
      reason: 'r',
      valid_until: '2026-02-02',
    };
    await session.ok('POST /admin/agent/subsidy', subsidy, await session.admin());
    await session.ok('POST /verify/batch', { hashes: [parent.hash, child.hash, `0x${'ab'.repeat(32)}`] });
    for (const path of ['/status', '/verify', '/agent/beat-status']) await session.ok(`GET ${path}/${child.hash}`);
    await session.ok('POST beats:/beat/timestamp', { hash: 'ab'.repeat(32) });
    session.pass(61);
    await session.ok('POST /agent/resync', { action: 'challenge' }, child.authorization);
    await session.resync(parent);
    for (const path of ['/status', '/verify', '/agent/beat-status']) await session.ok(`GET ${path}/${parent.hash}`);
    await session.ok(`GET /agent/beat-status/${child.hash}`);
    found = session.replies.flatMap(({ name, body }) => [...fieldsOf(body, name)]);
  }),
);
afterAll(() => session.close());

/** Names of fields with an agent hash, unless null. */
const AGENT_HASHES = new Set(['agent_hash', 'parent_hash', 'child_hash', 'parent', 'registered_by']);
/** A field `hash` contains an agent's hash, except for beats and anchors. */
const isAgentHash = ({ field, at }: Found): boolean =>
  AGENT_HASHES.has(field) || (field === 'hash' && !/genesis|anchor\.hash|timestamp\.hash/.test(at));
const BEAT_OR_ANCHOR = new Set([
  ...['index', 'beat_index', 'current_beat', 'latest_beat', 'latest_beat_index', 'global_anchor', 'issued_at_beat'],
  ...['registered_at_beat', 'last_heartbeat_beat', 'sigil_issued_at_beat', 'current_anchor_index', 'last_global_sync'],
  ...['current_global_beat', 'start_from_beat', 'sync_to_global', 'frozen_since', 'sigil_issued_at', 'anchor_index'],
]);

describe('the conventions (2), in every reply of a long session', () => {
  const named = (field: string, where = /./): Found[] =>
    found.filter((each) => each.field === field && where.test(each.at));

  it('[convention.agent-hash] an agent hash is 0x and 64 hex characters', () => {
    const hashes = found.filter((each) => isAgentHash(each) && each.value !== null);
    for (const { value, at } of hashes) expect(value, at).toMatch(/^0x[0-9a-f]{64}$/);
    const told = new Set(hashes.map(({ field }) => field));
    expect(told).toEqual(new Set([...AGENT_HASHES, 'hash']));
  });

  it.each([
    ['convention.time.issued-at', 'issued_at'],
    ['convention.time.valid-until', 'valid_until'],
  ])('[%s] %s of a passport is a number of Unix milliseconds', (_clause, field) => {
    const times = named(field, /passport|lineage_proof/);
    expect(times.length).toBeGreaterThan(5);
    for (const { value, at } of times) {
      expect(Number.isInteger(value), at).toBe(true);
      expect(new Date(value as number).getUTCFullYear(), at).toBe(2026);
    }
    const others = named(field).filter((each) => !times.includes(each));
    expect(others.map(({ at }) => at)).toEqual(
      field === 'issued_at' ? [] : ['POST /admin/agent/subsidy.subsidy.valid_until'],
    );
  });

  it.each([
    ['convention.time.expires-at', 'expires_at'],
    ['convention.time.created-at', 'created_at'],
  ])('[%s] %s is ISO 8601', (_clause, field) => {
    const times = named(field);
    expect(times.length).toBeGreaterThan(0);
    for (const { value, at } of times) expect(value, at).toMatch(/^2026-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('[convention.indexes] indexes of beats and anchors are whole numbers', () => {
    const indexes = found.filter(({ field, value }) => BEAT_OR_ANCHOR.has(field) && value !== null);
    for (const { value, at } of indexes) expect(Number.isSafeInteger(value), at).toBe(true);
    expect(new Set(indexes.map(({ field }) => field))).toEqual(BEAT_OR_ANCHOR);
  });
});

describe('the paths (1, 9)', () => {
  const app = (service: 'registry' | 'beats', method: string, path: string) =>
    session.deployment.send(method, path.replace(':hash', `0x${'ab'.repeat(32)}`), {}, service);
  // D-08: only the health of the beats service is outside.
  const versioned = endpoints.filter(({ path }) => path !== '/api/health');

  it.each(versioned.map(({ service, method, path }) => [service, method, path] as const))(
    '[service.base-url] [versioning.path] %s serves %s %s there and not without its version segment',
    async (service, method, path) => {
      expect(path).toMatch(/^\/api\/v1\/./);
      const served = await app(service, method, path);
      expect([served.status, served.body.code]).not.toEqual([404, 'NOT_FOUND']);
      expect(served.status).not.toBe(405);
      for (const other of [path.replace('/api/v1', ''), path.replace('/v1', ''), path.replace('/v1', '/v2')]) {
        const refused = await app(service, method, other);
        expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
      }
    },
  );
});
