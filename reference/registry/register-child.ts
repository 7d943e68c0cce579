/** Registration of a child by its parent (4.2, mode 5). The spawn authorization that it needs is issued in spawn.ts. */

import { peekOneTime, spendOneTime } from './one-time.js';
import { type Refusal, refuse } from './refusal.js';
import { addAgent, credentials, type RegisterAccepted } from './register.js';
import { endReservation } from './reservation.js';
import { childOfName, SPAWN_FLOW } from './spawn.js';
import type { Registry } from './state.js';

interface ChildInput {
  /** The row of the authenticated parent. */
  readonly agent: number;
  readonly name: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly authorization: string;
  /** The parent that the body names: its row, -1 for an unknown hash, undefined if it names none (D-40). */
  readonly parent?: number | undefined;
}

/** 4.2, mode 5: registers a child under the authenticated parent, with a spawn authorization. */
export function registerChild(registry: Registry, input: ChildInput, nowMs: number): RegisterAccepted | Refusal {
  const { agent: parent, authorization } = input;
  const named = input.parent ?? parent;
  if (named >= 0 && named !== parent) {
    return refuse('register/VALIDATION', 'parent: is not the agent whose key was sent');
  }
  if (named < 0) return refuse('register/AGENT_NOT_FOUND');
  const bound = peekOneTime(registry, authorization, SPAWN_FLOW, nowMs)?.bound;
  if (bound?.['parent'] !== parent) {
    return refuse('register/SPAWN_CONFLICT', "spawn_authorization: is unknown, used, expired or another parent's");
  }
  const name = input.name.trim();
  if (bound['childName'] !== name) {
    return refuse('register/SPAWN_CONFLICT', 'spawn_authorization: was given for a child of another name');
  }
  if (childOfName(registry, parent, name) !== undefined) {
    return refuse('register/SPAWN_CONFLICT', 'name: a child of this name is registered');
  }
  spendOneTime(registry, authorization);
  const child = addAgent(registry, input, parent, nowMs);
  const { columns, line } = registry.agents;
  columns.children[parent] = columns.children[parent]! + 1;
  // D-37: descendants of an agent under a partner are under it too.
  line.setPartner(child, line.partner(parent));
  // D-31: the reserved beats are spent now.
  columns.availableBeats[parent] = columns.availableBeats[parent]! - endReservation(registry, parent, authorization);
  registry.childNames.set(`${parent}:${name}`, child);
  return credentials(registry, child, nowMs);
}
