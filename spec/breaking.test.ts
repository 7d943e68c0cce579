import { describe, expect, it } from 'vitest';
import { BREAKS, breaksOf, fieldBreaks } from './breaking.js';
import { type Overlay, withOverlay } from './overlay.js';

const breaks = (overlay: Overlay): readonly string[] =>
  breaksOf(withOverlay({}), withOverlay(overlay)).map(({ kind, path, from, to }) => `${kind} ${path}: ${from} → ${to}`);

describe('a change breaks clients', () => {
  it.each<[Overlay, readonly string[]]>([
    [{ heartbeat: { intervalBeatsMin: 12 } }, ['wait-lengthened heartbeat.intervalBeatsMin: 10 → 12']],
    [{ heartbeat: { intervalBeatsMin: 9 } }, []],
    [{ flag: { reasonCharsMax: 1_000 } }, ['bound-narrowed flag.reasonCharsMax: 2000 → 1000']],
    [{ flag: { reasonCharsMax: 3_000 } }, []],
    [{ limits: { heartbeat: { count: 30 } } }, ['limit-narrowed limits.heartbeat.count: 60 → 30']],
    [{ reissue: { feeLamports: 1 } }, ['price-changed reissue.feeLamports: 200000 → 1']],
    [{ passport: { validityHours: 12 } }, ['life-shortened passport.validityHours: 24 → 12']],
    [{ resync: { beatsMax: 20_000 } }, ['work-raised resync.beatsMax: 10000 → 20000']],
    [{ feeSplit: { yearDays: 100 } }, []],
    [
      { parts: { errors: { 'heartbeat/VOLUME_CAP_REACHED': { status: 409, code: 'EPOCH_FULL' } } } },
      [
        'status-changed errors.heartbeat/VOLUME_CAP_REACHED: 429 VOLUME_CAP_REACHED → 409 EPOCH_FULL',
        'code-renamed errors.heartbeat/VOLUME_CAP_REACHED: 429 VOLUME_CAP_REACHED → 409 EPOCH_FULL',
      ],
    ],
    [
      { parts: { tiers: { gov: true, eph: false } } },
      ['value-removed tiers.eph: a tier → none', 'value-added tiers.gov: none → a tier'],
    ],
    [{ parts: { events: { 'agent.unfrozen': false } } }, ['value-removed events.agent.unfrozen: an event → none']],
  ])('%j', (overlay, expected) => {
    expect(breaks(overlay).toSorted()).toEqual(expected.toSorted());
  });

  it('that switches a mode off refuses the fields of its bodies', () => {
    expect(breaks({ parts: { modes: { 'resync/challenge': false } } })).toEqual([
      'value-removed modes.resync/challenge: a mode → none',
      'field-refused POST /api/v1/agent/resync action: taken → refused',
      'field-refused POST /api/v1/agent/resync challenge_nonce: taken → refused',
      'field-refused POST /api/v1/agent/resync proof: taken → refused',
    ]);
  });

  it('that requires a field of a body, or takes one from a reply', () => {
    const schema = (properties: object, required: readonly string[]) => ({
      content: { 'application/json': { schema: { type: 'object', properties, required } } },
    });
    const paths = (body: readonly string[], reply: object) => ({
      '/x': {
        post: { requestBody: schema({ a: {}, b: {} }, body), responses: { 200: schema(reply, Object.keys(reply)) } },
      },
    });
    const found = fieldBreaks(paths(['a'], { ok: {}, id: {} }), paths(['a', 'b'], { ok: {} }));
    expect(found.map(({ kind, path }) => [kind, path])).toEqual([
      ['field-required', 'POST /x b'],
      ['field-removed', 'POST /x id'],
    ]);
    for (const { kind } of found) expect(BREAKS[kind]).toMatch(/^a (request|client)/);
  });
});
