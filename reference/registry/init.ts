/** The rule of POST /agent/init (4.4): starts an agent's beat chain, from when on the Dead Man's Switch counts. */

import { armDeadManSwitch } from './dead-man-switch.js';
import { ACTIVE, REGISTERED, type Registry } from './state.js';

/** The result of init; `started` is false for a repeated call. */
interface InitAccepted {
  readonly ok: true;
  readonly started: boolean;
}

/** 4.4: starts an agent's beat chain, once; a repeated call changes nothing. Refuses no agent. */
export function init(registry: Registry, input: { readonly agent: number }, nowMs: number): InitAccepted {
  const { columns, line } = registry.agents;
  if (line.status(input.agent) !== REGISTERED) return { ok: true, started: false };
  line.setStatus(input.agent, ACTIVE);
  columns.initAtMs[input.agent] = nowMs;
  columns.latestBeat[input.agent] = registry.protocol.beat.genesisIndex;
  armDeadManSwitch(registry, input.agent);
  return { ok: true, started: true };
}
