/** The reply of GET /status/:hash (D-19), and the parts of it that other lookups share. It changes nothing. */

import { isoOf, sigilText } from '../../spec/formats.js';
import { walletChains, walletModels } from '../../spec/vocabulary.js';
import { textOf } from './columns/interner.js';
import { identityClassOf } from './fees.js';
import { beatState, standingOf } from './standing.js';
import { hashOf, type Registry } from './state.js';

/**
 * 2.1: an agent's wallet as lookups show it. Without a wallet the model reads `self-custody` and the chain is null
 * (D-45).
 */
export function walletView(registry: Registry, agent: number) {
  const { walletModel, walletChain } = registry.agents.columns;
  const wallet = registry.agents.line.wallet(agent);
  const linked = wallet >= 0;
  return {
    wallet: linked ? textOf(registry.wallets, wallet) : null,
    wallet_model: linked ? (walletModels[walletModel[agent]!] as string) : 'self-custody',
    wallet_chain: linked ? (walletChains[walletChain[agent]!] as string) : null,
  };
}

/** 2.1: `root` or, for a child, `agent` (D-16). */
export function typeOf(registry: Registry, agent: number): 'root' | 'agent' {
  return registry.agents.line.depth(agent) === registry.protocol.agent.rootDepth ? 'root' : 'agent';
}

/** D-19: the body of GET /status/:hash for a known agent. */
export function status(registry: Registry, agent: number, nowMs: number) {
  const { columns, line } = registry.agents;
  const sigil = registry.sigils.get(agent);
  const refused = line.complaints(agent) > 0;
  return {
    exists: true as const,
    status: standingOf(registry, agent),
    hash: hashOf(registry, agent),
    type: typeOf(registry, agent),
    depth: line.depth(agent),
    name: registry.names[agent] ?? '',
    metadata: registry.metadata.get(agent) ?? null,
    ...walletView(registry, agent),
    identity_class: identityClassOf(line.identityClass(agent), registry.protocol),
    sigil: sigil === undefined ? null : sigilText(sigil),
    sigil_issued_at: sigil === undefined ? null : columns.sigilAtBeat[agent]!,
    tier: sigil?.tier ?? null,
    principal: sigil?.principal ?? null,
    registered: isoOf(columns.registeredAtMs[agent]!),
    registered_by: columns.parent[agent]! < 0 ? null : hashOf(registry, columns.parent[agent]!),
    tx_signature: sigil?.birthTx ?? null,
    heartbeat_refused: refused,
    heartbeat_refused_reason: refused ? 'a complaint against this agent has been sustained' : null,
    beat_state: beatState(registry, agent, nowMs),
  };
}
