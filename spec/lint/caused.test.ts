import { describe, expect, it } from 'vitest';
import { type Overlay, withOverlay } from '../overlay.js';
import { causedFindings } from './caused.js';

const pathsById = (overlay: Overlay) =>
  Object.fromEntries(causedFindings(withOverlay(overlay)).map(({ id, paths }) => [id, paths]));

describe('findings that a change causes', () => {
  it('are none without a change, and none for a change that makes nothing worse', () => {
    expect(pathsById({})).toEqual({});
    expect(pathsById({ dms: { missedAnchorsMax: 90 } })).toEqual({});
  });

  it('name the number that they are about, and no other that is changed with it', () => {
    const found = pathsById({
      heartbeat: { intervalBeatsMin: 11 },
      dms: { missedAnchorsMax: 12 },
      limits: { spawn: { count: 1 } },
    });
    expect(found['unreachable/cap-orchestrator']).toEqual(['heartbeat.intervalBeatsMin']);
    expect(found['outlived-right/passport']).toEqual(['dms.missedAnchorsMax']);
    expect(found['stopped-flow/spawn']).toEqual(['limits.spawn.count']);
  });

  it('name all that are changed where each alone would do', () => {
    const both = pathsById({ heartbeat: { intervalBeatsMin: 90 }, dms: { missedAnchorsMax: 12 } });
    expect(both['class-cap/interval'] ?? both['short-life/warning']).toEqual([
      'heartbeat.intervalBeatsMin',
      'dms.missedAnchorsMax',
    ]);
  });
});
