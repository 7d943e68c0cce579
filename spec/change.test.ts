import { describe, expect, it } from 'vitest';
import { changedNumbers, touchedClauses, touchedEndpoints, touchedErrors } from './change.js';
import { unitOf } from './number-bounds.js';
import { type Overlay, withOverlay } from './overlay.js';
import { protocol } from './protocol.js';

function changeOf(overlay: Overlay) {
  const to = withOverlay(overlay);
  const numbers = changedNumbers(protocol, to);
  const clauses = touchedClauses(numbers);
  return { numbers, clauses, errors: touchedErrors(clauses), endpoints: touchedEndpoints(protocol, to, clauses) };
}

describe('a change of the specification', () => {
  it('touches nothing where nothing differs', () => {
    expect(changeOf({ dms: { missedAnchorsMax: 60 } })).toEqual({
      numbers: [],
      clauses: [],
      errors: [],
      endpoints: [],
    });
  });

  it.each<[Overlay, Partial<ReturnType<typeof changeOf>>]>([
    [
      { heartbeat: { intervalBeatsMin: 60 } },
      {
        numbers: [{ path: 'heartbeat.intervalBeatsMin', unit: 'beats', from: 10, to: 60 }],
        clauses: [
          'heartbeat.interval.min',
          'heartbeat.interval.reply',
          'heartbeat.error.heartbeat-too-soon',
          'constant.heartbeat-interval',
        ],
        errors: ['heartbeat/HEARTBEAT_TOO_SOON'],
        endpoints: ['POST /api/v1/agent/heartbeat'],
      },
    ],
    [
      { limits: { spawn: { count: 6 } } },
      { clauses: ['limit.spawn'], errors: ['any/RATE_LIMITED'], endpoints: ['POST /api/v1/agent/spawn'] },
    ],
    [{ flag: { reasonCharsMax: 100 } }, { errors: ['flag/VALIDATION'], endpoints: ['POST /api/v1/agent/flag'] }],
    [
      { beat: { difficulty: 2_000 } },
      { endpoints: expect.arrayContaining(['POST /api/v1/agent/init', 'POST /api/v1/agent/resync']) },
    ],
  ])('%j touches %j', (overlay, touched) => {
    expect(changeOf(overlay)).toMatchObject(touched);
  });

  it('has the unit of a number in words', () => {
    const units = [
      'heartbeat.tier1FeeLamports',
      'dms.missedAnchorsMax',
      'limits.flag.windowSec',
      'limits.flag.count',
      'passport.validityHours',
      'heartbeat.narrowTaskCap',
      'subsidy.discountBpsMax',
      'spawn.depthFactorNumerator',
    ];
    expect(units.map(unitOf)).toEqual(['lamports', 'anchors', 's', 'requests', 'hours', 'heartbeats', 'bps', '']);
  });
});
