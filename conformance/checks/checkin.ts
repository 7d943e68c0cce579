/** The retired check-in (4.15). The heartbeats that replace it are in dms.ts and heartbeat.ts. */
import type { WrittenCheck } from '../trial/check.js';

const gone: WrittenCheck = {
  id: 'checkin/gone',
  title: 'A check-in with any body gets 410',
  shares: true,
  async run(t) {
    const { key } = await t.root();
    // The proof that the older check-in took: five spot checks of a chain (2.4).
    const proof = {
      from_beat: 0,
      to_beat: 5,
      from_hash: t.hex(32),
      to_hash: t.hex(32),
      beats_computed: 5,
      global_anchor: 0,
      anchor_hash: t.hex(32),
      spot_checks: [1, 2, 3, 4, 5].map((index) => ({ index, hash: t.hex(32), prev: t.hex(32) })),
    };
    for (const body of [{}, proof, { proof }, { proof: {} }]) await t.call('checkin', { key, body });
  },
};

const noKey: WrittenCheck = {
  id: 'checkin/no-key',
  title: 'A check-in without a key gets 410',
  async run(t) {
    t.refused(await t.call('checkin', { body: {} }), 410, 'checkin.no-key');
  },
};

export const checkinChecks: readonly WrittenCheck[] = [gone, noKey];
