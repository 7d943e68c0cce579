/** Reads the abstract state of a registry: ages up to their thresholds, counters up to their caps. world.ts writes it. */

import { billingEpoch } from '../reference/registry/fees.js';
import { heartbeatsInEpoch } from '../reference/registry/heartbeat.js';
import { SPAWN_FLOW } from '../reference/registry/spawn.js';
import { isActive, sponsorshipBetween, usedInEpoch } from '../reference/registry/sponsor.js';
import { currentBeat, missedAnchors, REGISTERED as NOT_STARTED, type Registry } from '../reference/registry/state.js';
import * as F from './fields.js';

const intervalMsOf = ({ protocol }: Registry): number => protocol.anchor.intervalSec * 1_000;

/** Reads the abstract state into `values`. */
export function readState(registry: Registry, fields: F.Fields, nowMs: number, values: Int32Array): void {
  const intervalMs = intervalMsOf(registry);
  const { columns, line, rows } = registry.agents;
  const { interval, silence } = fields.spans;
  const epoch = billingEpoch(registry.protocol, currentBeat(registry));
  values.fill(0);
  values[fields.phase] = registry.anchorIndex % fields.spans.epoch;
  for (let agent = 0; agent < rows; agent++) {
    const at = fields.agent(agent);
    const status = line.status(agent);
    const last = line.lastHeartbeatBeat(agent);
    const since = Math.floor((currentBeat(registry) - last) / registry.protocol.anchor.beatsPerAnchor);
    values[at + F.STAGE] = columns.linked[agent] === 1 ? F.LINKED : F.REGISTERED;
    values[at + F.STATUS] = status;
    values[at + F.AGE] = status === NOT_STARTED ? 0 : Math.min(missedAnchors(registry, agent), silence);
    values[at + F.BEAT] = last < 0 ? F.NEVER : since >= interval ? F.OLD : F.FRESH + since;
    values[at + F.COUNT] = Math.min(fields.countMax, heartbeatsInEpoch(registry, agent, epoch));
    const tier = line.identityClass(agent) === 0 ? undefined : registry.sigils.get(agent)?.tier;
    values[at + F.SIGIL_KIND] = tier === undefined ? F.NO_SIGIL : tier === 'sbx' ? F.SANDBOX : F.SIGIL;
    values[at + F.WALLET] = line.wallet(agent) < 0 ? 0 : 1;
    values[at + F.REVOKED] = columns.keyRevoked[agent]!;
    if (agent > 0) readSponsorship(registry, fields, nowMs, values, agent);
  }
  for (const { flow, expiresAtMs, bound } of registry.oneTime.values()) {
    // Of an agent that is registered, another authorization can register nobody.
    if (flow !== SPAWN_FLOW || expiresAtMs < nowMs || bound?.['childName'] !== F.nameOf(rows)) continue;
    values[fields.agent(rows) + F.STAGE] = F.AUTHORIZED;
    const left = Math.floor((expiresAtMs - nowMs) / intervalMs);
    values[fields.authorizationLeft] = Math.max(values[fields.authorizationLeft]!, left);
  }
  for (const flag of registry.flags.list) {
    const status = flag.status === 'pending' ? F.PENDING : flag.status === 'sustained' ? F.SUSTAINED : 0;
    values[fields.flag(flag.reporter, flag.target)]! |= status;
  }
}

function readSponsorship(registry: Registry, fields: F.Fields, nowMs: number, values: Int32Array, child: number): void {
  const found = sponsorshipBetween(registry, 0, child);
  if (found === undefined) return;
  const at = fields.sponsorship(child);
  const used = Math.min(usedInEpoch(registry, found), registry.protocol.sponsor.heartbeatsEpochMin);
  values[at + F.SPONSOR_USED] = used;
  if (isActive(found, nowMs)) {
    values[at + F.SPONSOR_STATE] = F.SPONSORED;
    const { expiresAtMs } = found;
    values[at + F.SPONSOR_LEFT] =
      expiresAtMs === null ? fields.spans.sponsorship + 1 : Math.floor((expiresAtMs - nowMs) / intervalMsOf(registry));
  } else if (found.state === 'revoked-by-sponsor-freeze') values[at + F.SPONSOR_STATE] = F.SILENCED;
}
