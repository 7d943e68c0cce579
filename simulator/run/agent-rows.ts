/** One row for each agent that registered, as of the current second of a run. Files of them are written by reports/. */

import type { AgentRow } from '../../reports/simulation-result.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { accountOfAgent } from '../world/accounts.js';
import { NEVER } from '../world/agents.js';
import { LEFT, NONE } from '../world/features.js';
import { numberOf } from '../world/share.js';
import { GENESIS_MS, type World } from '../world/world.js';

/** The agents of a run in the order of their registration. */
export function* agentRows(world: World): Generator<AgentRow> {
  const { agents, registry, features, ledger, agentOfRow, scenario, share } = world;
  const { line, columns } = registry.agents;
  const names = scenario.populations.map(({ name }) => name);
  for (let row = 0; row < registry.agents.rows; row += 1) {
    const agent = agentOfRow[row]!;
    const firstFreezeSec = agents.firstFreezeSec[agent]!;
    const departedSec = features === null ? NONE : features.departedSec[agent]!;
    const cell = agents.cell(agent);
    const sigil = line.identityClass(row);
    yield {
      agent: numberOf(share, agent),
      population: names[Math.floor(cell / identityClasses.length)]!,
      class: identityClasses[cell % identityClasses.length]!,
      sigil: sigil === 0 ? null : (identityClasses[sigil - 1] ?? null),
      parent: features === null || features.parent[agent]! === NONE ? null : numberOf(share, features.parent[agent]!),
      depth: line.depth(row),
      children: columns.children[row]!,
      registered_ms: columns.registeredAtMs[row]! - GENESIS_MS,
      first_freeze_ms: firstFreezeSec === NEVER ? null : firstFreezeSec * 1_000,
      departed_ms: departedSec === NONE ? null : departedSec * 1_000,
      departed: features !== null && (features.marks[agent]! & LEFT) !== 0,
      frozen: agents.frozen(agent),
      heartbeats: line.totalHeartbeats(row),
      wallet_lamports: ledger.lamports[accountOfAgent(world, agent)]!,
    };
  }
}
