import { describe, expect, it } from 'vitest';
import { AgentLine } from './agent-line.js';

/** Every named field, with its initial value. */
const words = [
  ['status', 'setStatus', 0],
  ['identityClass', 'setIdentityClass', 0],
  ['wallet', 'setWallet', -1],
  ['complaints', 'setComplaints', 0],
  ['partner', 'setPartner', -1],
  ['depth', 'setDepth', 0],
  ['lastSyncAnchor', 'setLastSyncAnchor', -1],
  ['lastHeartbeatBeat', 'setLastHeartbeatBeat', -1],
  ['epoch', 'setEpoch', 0],
  ['epochHeartbeats', 'setEpochHeartbeats', 0],
  ['totalHeartbeats', 'setTotalHeartbeats', 0],
] as const;

describe('the lines of agents', () => {
  it.each(words)('contain %s of each, and nothing else changes with it', (get, set, initial) => {
    const line = new AgentLine(1);
    for (let row = 0; row < 5; row++) line.add(row);
    expect(line[get](3)).toBe(initial);
    line[set](3, 77);
    for (const [other, , first] of words) {
      for (let row = 0; row < 5; row++) {
        expect([other, row, line[other](row)]).toEqual([other, row, other === get && row === 3 ? 77 : first]);
      }
    }
  });

  it('hold beats and epochs beyond 32 bits', () => {
    const line = new AgentLine(4);
    for (let row = 0; row < 4; row++) line.add(row);
    line.setLastHeartbeatBeat(2, 2 ** 53 - 1);
    line.setEpoch(2, 2 ** 40 + 1);
    const copy = new AgentLine(1);
    copy.adopt(line.words);
    expect([copy.lastHeartbeatBeat(2), copy.epoch(2), copy.wallet(2)]).toEqual([
      9_007_199_254_740_991,
      2 ** 40 + 1,
      -1,
    ]);
  });

  it('grow and keep what they hold', () => {
    const line = new AgentLine(2);
    for (let row = 0; row < 300; row++) {
      line.add(row);
      line.setTotalHeartbeats(row, row * 3);
    }
    expect(Array.from({ length: 300 }, (_, row) => line.totalHeartbeats(row))).toEqual(
      Array.from({ length: 300 }, (_, row) => row * 3),
    );
  });
});
