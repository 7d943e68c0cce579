/**
 * The result of a verification: an agent with its SIGIL and its lineage up to the root (4.14, D-20). It changes
 * nothing.
 */

import { explorerUrl, isoOf, sigilText } from '../../spec/formats.js';
import { identityClassOf } from './fees.js';
import { beatState, standingOf } from './standing.js';
import { hashOf, type Registry } from './state.js';
import { typeOf, walletView } from './status.js';

/** 4.14: whether the latest anchor is older than the allowed intervals (D-20). */
function anchorDegraded(registry: Registry, nowMs: number): boolean {
  const { intervalSec, degradedIntervals } = registry.protocol.anchor;
  return nowMs - registry.anchorAtMs > degradedIntervals * intervalSec * 1_000;
}

/** 2.7: a SIGIL as it is written on the wire, or null. */
export function sigilView(registry: Registry, agent: number) {
  const sigil = registry.sigils.get(agent);
  if (sigil === undefined) return null;
  const { columns, line } = registry.agents;
  return {
    sigil: sigilText(sigil),
    sigil_name: sigil.name,
    principal: sigil.principal,
    tier: sigil.tier,
    identity_class: identityClassOf(line.identityClass(agent), registry.protocol),
    issued_at_beat: columns.sigilAtBeat[agent]!,
    birth_tx: sigil.birthTx,
    explorer_url: explorerUrl(sigil.birthTx),
  };
}

/** D-20: the view of a SIGIL, with its metadata (2.8) and its generation, which change. */
function sigilState(registry: Registry, agent: number, view: NonNullable<ReturnType<typeof sigilView>>) {
  return { ...view, ...registry.sigilMetadata.get(agent), generation: registry.sigils.get(agent)?.generation ?? 0 };
}

/** 4.14 and D-20: the result for one agent, with its lineage from itself up to its root. */
export function verify(registry: Registry, agent: number, nowMs: number) {
  const { columns, line } = registry.agents;
  const lineage = [];
  let root = agent;
  for (let row = agent; row >= 0; row = columns.parent[row]!) {
    root = row;
    lineage.push({
      hash: hashOf(registry, row),
      type: typeOf(registry, row),
      depth: line.depth(row),
      name: registry.names[row] ?? '',
      registered: isoOf(columns.registeredAtMs[row]!),
    });
  }
  const sigil = sigilView(registry, agent);
  return {
    verified: true as const,
    standing: standingOf(registry, agent),
    agent: {
      hash: hashOf(registry, agent),
      name: registry.names[agent] ?? '',
      type: typeOf(registry, agent),
      depth: line.depth(agent),
      parent: columns.parent[agent]! < 0 ? null : hashOf(registry, columns.parent[agent]!),
      metadata: registry.metadata.get(agent) ?? null,
      ...walletView(registry, agent),
      registered: isoOf(columns.registeredAtMs[agent]!),
    },
    sigil: sigil === null ? null : sigilState(registry, agent, sigil),
    // D-20: passports are returned by the paid routes and GET /agent/passport only.
    passport: null,
    beat_state: beatState(registry, agent, nowMs),
    network: {
      current_anchor_index: Math.max(0, registry.anchorIndex),
      anchor_degraded: anchorDegraded(registry, nowMs),
    },
    lineage,
    root: { hash: hashOf(registry, root), registered: isoOf(columns.registeredAtMs[root]!) },
  };
}
