/** Starting a chain (4.4), and credited work (4.9). */

import * as fc from 'fast-check';
import { mostly, near, place, request } from '../operation.js';

export const init = request('init', { agent: place }, (player, { agent }) => ({
  request: { method: 'POST', path: '/agent/init', key: player.agent(agent).key, body: {} },
}));

/** POST /agent/beats/submit */
export const submitBeats = request(
  'beats-submit',
  {
    agent: place,
    beats: { usual: 3, arbitrary: fc.integer({ min: 3, max: 40 }) },
    wrong: mostly('nothing', 'count', 'hash', 'end', 'start', 'from-hash', 'anchor', 'no-checks'),
  },
  async (player, { agent, beats, wrong }) => {
    const { chain, started } = player.known(agent);
    const { beat, hash } = chain;
    if (!started || beat === undefined || hash === undefined) return undefined;
    const from = wrong === 'start' ? beat + 1 : beat;
    const {
      anchor_index,
      difficulty: _,
      ...work
    } = await player.work(beats, wrong === 'from-hash' ? undefined : hash, from);
    const checks = work.spot_checks.map((each, nth) =>
      wrong === 'hash' && nth === 1 ? { ...each, hash: near(each.hash, 0) } : each,
    );
    const body = {
      ...work,
      from_beat: from,
      to_beat: from + beats,
      global_anchor: anchor_index,
      anchor_hash: wrong === 'anchor' ? near(work.anchor_hash) : work.anchor_hash,
      beats_computed: wrong === 'count' ? beats + 1 : beats,
      spot_checks: wrong === 'end' ? checks.slice(0, -1) : wrong === 'no-checks' ? undefined : checks,
    };
    return { request: { method: 'POST', path: '/agent/beats/submit', key: player.agent(agent).key, body } };
  },
);
