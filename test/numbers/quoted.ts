/** Rows for numbers that one reply quotes and another call obeys: the two must stay equal. */

import { answerOf, type Lab } from './lab.js';
import { type Row, told } from './row.js';

const summary = (read: (schedule: Schedule) => string | number) => async (lab: Lab) =>
  read((await lab.done('GET /fees/summary')).schedule);
interface Schedule {
  readonly sigil_tiers: readonly { readonly lamports: number }[];
  readonly heartbeat_tiers: readonly { readonly range: string; readonly lamports: number }[];
  readonly proof_reissuance_sol: number;
}
const at = <T>(list: readonly T[], i: number): T => {
  const item = list[i];
  if (item === undefined) throw new Error(`there is no item ${i}`);
  return item;
};

/** What a proof must hold, as the beats service tells. */
const terms = (field: string) => async (lab: Lab) => (await lab.done('GET beats:/beat/work-proof'))[field];

/** Beat status of an agent with a SIGIL after its chain started and so many anchors. */
const beatStatus = (read: (status: BeatStatus) => number, anchors: number) => async (lab: Lab) => {
  const { hash } = await lab.sigilAgent('orchestrator');
  await lab.anchors(anchors);
  return read(await lab.done(`GET /agent/beat-status/${hash}`));
};
interface BeatStatus {
  readonly heartbeat: { readonly difficulty: number };
  readonly heartbeat_epoch: { readonly volume_cap: number };
  readonly whitelist: Readonly<Record<'deadline_anchors' | 'beats_until_freeze' | 'beats_behind', number>>;
  readonly gestation: { readonly next_child_cost: number };
}

const PENALISED = 61;

/** What a frozen agent is told that it owes. */
async function penalty(
  lab: Lab,
): Promise<{ readonly gap: number; readonly required: number; readonly challenge: number }> {
  const { key } = await lab.sigilAgent();
  await lab.anchors(PENALISED);
  const { body } = await lab.call('POST /agent/resync', {}, key);
  const { challenge, gap_beats } = await lab.done('POST /agent/resync', { action: 'challenge' }, key);
  return { gap: gap_beats, required: body.required_beats, challenge: challenge.required_beats };
}

/** Replies that quote a number which another call obeys: the two must not part. */
export const quotedRows: readonly Row[] = [
  told(
    'sigil.narrowTaskFeeLamports',
    50_000_000,
    summary(({ sigil_tiers }) => at(sigil_tiers, 0).lamports),
  ),
  told(
    'sigil.autonomousFeeLamports',
    150_000_000,
    summary(({ sigil_tiers }) => at(sigil_tiers, 1).lamports),
  ),
  told(
    'sigil.orchestratorFeeLamports',
    350_000_000,
    summary(({ sigil_tiers }) => at(sigil_tiers, 2).lamports),
  ),
  told(
    'heartbeat.tier1FeeLamports',
    500_000,
    summary(({ heartbeat_tiers }) => at(heartbeat_tiers, 0).lamports),
  ),
  told(
    'heartbeat.tier2FeeLamports',
    300_000,
    summary(({ heartbeat_tiers }) => at(heartbeat_tiers, 1).lamports),
  ),
  told(
    'heartbeat.tier3FeeLamports',
    200_000,
    summary(({ heartbeat_tiers }) => at(heartbeat_tiers, 2).lamports),
  ),
  told(
    'heartbeat.tier1HeartbeatsMax',
    100,
    summary(({ heartbeat_tiers }) => `${at(heartbeat_tiers, 0).range}, ${at(heartbeat_tiers, 1).range}`),
    { as: (n) => `1-${n}, ${n + 1}-1000` },
  ),
  told(
    'heartbeat.tier2HeartbeatsMax',
    1_000,
    summary(({ heartbeat_tiers }) => `${at(heartbeat_tiers, 1).range}, ${at(heartbeat_tiers, 2).range}`),
    { as: (n) => `101-${n}, ${n + 1}+` },
  ),
  told(
    'reissue.feeLamports',
    200_000,
    summary(({ proof_reissuance_sol }) => proof_reissuance_sol),
    {
      as: (n) => n / 1e9,
    },
  ),

  told('work.difficultyMin', 100, terms('difficulty_min')),
  told('work.difficultyMax', 5_000, terms('difficulty_max')),
  told('proof.spotChecksMin', 3, terms('spot_checks_min')),
  told('proof.spotChecksMax', 25, terms('spot_checks_max')),
  told('anchor.graceAnchors', 5, terms('grace_anchors')),
  told('anchor.intervalSec', 60, async (lab) => (await lab.done('GET /beat/anchor')).anchor_interval_sec),

  told('beat.difficulty', 1_000, async (lab) => (await lab.done('GET /beat/anchor')).anchor.difficulty),
  told(
    'beat.difficulty',
    1_000,
    beatStatus(({ heartbeat }) => heartbeat.difficulty, 0),
  ),
  told(
    'heartbeat.orchestratorCap',
    20_000,
    beatStatus(({ heartbeat_epoch }) => heartbeat_epoch.volume_cap, 0),
  ),
  told(
    'dms.missedAnchorsMax',
    60,
    beatStatus(({ whitelist }) => whitelist.deadline_anchors, 0),
  ),
  told(
    'dms.missedAnchorsMax',
    60,
    beatStatus(({ whitelist }) => whitelist.beats_until_freeze, 5),
    {
      as: (n) => n + 1 - 5,
    },
  ),
  told(
    'anchor.beatsPerAnchor',
    1,
    beatStatus(({ whitelist }) => whitelist.beats_behind, 5),
    {
      changed: [2, 3],
      as: (n) => 5 * n,
    },
  ),
  told(
    'spawn.baseBeats',
    1_000,
    beatStatus(({ gestation }) => gestation.next_child_cost, 0),
  ),

  told(
    'heartbeat.intervalBeatsMin',
    10,
    async (lab) => {
      const agent = await lab.sigilAgent();
      const first = await lab.sendHeartbeat(agent, agent);
      const second = await lab.sendHeartbeat(agent, agent);
      return `${answerOf(second)} by ${second.body.next_eligible_beat - first.body.current_beat}`;
    },
    { as: (n) => `429 HEARTBEAT_TOO_SOON by ${n}` },
  ),
  told('resync.beatsPerMissedAnchor', 100, penalty, {
    as: (n) => ({ gap: PENALISED, required: PENALISED * n, challenge: PENALISED * n }),
  }),
  told('anchor.beatsPerAnchor', 1, penalty, {
    changed: [2, 3],
    as: (n) => ({ gap: PENALISED * n, required: 6_100, challenge: 6_100 }),
  }),

  told('registration.nonceTtlSec', 300, async (lab) => {
    const asked = { name: 'x', wallet_model: 'operator' };
    return (await lab.done('POST /register', asked)).expires_in;
  }),
  told('registration.tokenTtlSec', 300, async (lab) => (await lab.done('POST /register/token', {})).expires_in_sec),
  told('wallet.nonceTtlSec', 300, async (lab) => {
    const { key } = await lab.plain();
    return (await lab.done('POST /agent/wallet', { action: 'challenge' }, key)).expires_in;
  }),
  told(
    'sponsor.heartbeatsEpochDefault',
    100,
    async (lab) => {
      const parent = await lab.agent();
      const child = await lab.child(parent);
      const { sponsorship } = await lab.done('POST /agent/sponsor', { child_hash: child.hash }, parent.key);
      return sponsorship.max_heartbeats_epoch;
    },
    { alongside: { 'spawn.baseBeats': 0 } },
  ),
  told('subsidy.floorLamportsDefault', 5_000, async (lab) => {
    const { hash } = await lab.plain();
    const { key } = await lab.control('POST admin-keys');
    const body = { agent_hash: hash, fee_type: 'sigil', discount_bps: 1, reason: 'test' };
    return (await lab.done('POST /admin/agent/subsidy', body, key)).subsidy.floor_lamports;
  }),
];
