/** Handlers of POST and GET /skill/bootstrap (D-57): the caller's own state. They change nothing. */

import { skillBootstrapGet, skillBootstrapPost } from '../../../spec/endpoints/client-calls.js';
import { status } from '../../registry/status.js';
import type { EndpointCall, HandlerResult } from '../request/route.js';
import { reply, route } from '../request/route.js';

function bootstrap({
  registry,
  agent,
  nowMs,
}: Pick<EndpointCall<typeof skillBootstrapGet>, 'registry' | 'agent' | 'nowMs'>): HandlerResult {
  const { hash, status: standing, sigil, identity_class } = status(registry, agent, nowMs);
  const { totalBeats, availableBeats } = registry.agents.columns;
  return reply({
    ok: true,
    hash,
    status: standing,
    sigil,
    identity_class,
    total_beats: totalBeats[agent]!,
    available_beats: availableBeats[agent]!,
    _hint: hintOf(standing, sigil),
  });
}

function hintOf(standing: string, sigil: string | null): string {
  if (standing === 'registered') return 'start your beat chain: POST /api/v1/agent/init';
  if (standing === 'frozen') return 'prove beats to be active again: POST /api/v1/agent/resync';
  if (sigil === null) return 'buy a SIGIL: POST /api/v1/sigil';
  return 'show that you are alive: POST /api/v1/agent/heartbeat';
}

/** POST /skill/bootstrap, D-57. */
export const skillBootstrapPostRoute = route(skillBootstrapPost, bootstrap);
/** GET /skill/bootstrap, D-57. */
export const skillBootstrapGetRoute = route(skillBootstrapGet, bootstrap);
