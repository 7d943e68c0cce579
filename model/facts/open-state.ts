/** The state of a service that was there before the first exchange that is seen, and its agents from before. */

import type { Settings } from '../reading/settings.js';
import { UNKNOWN } from './earlier.js';
import { type Agent, emptyState, type Payment, type Sigil, type State } from './state.js';
import { Table } from './table.js';

/**
 * The state of a service that has run before the first exchange that is seen. It assumes that all requests about the agents that register from now on
 * are seen. Acts of administrators without a request stay unknown.
 */
export function openState(settings: Settings): State {
  const empty = emptyState(settings);
  const anything = { mayHold: () => true };
  const isKnown = (hash: string): boolean => {
    const agent = agents.find(hash);
    return agent !== undefined && agent.isPartial === undefined;
  };
  const ofAgent = { mayHold: (key: string) => !isKnown(key.slice(0, key.indexOf(' '))) };
  const agents: State['agents'] = new Table<Agent>(undefined, {
    ...anything,
    read: (agent) => {
      if (state.mayHavePassed && agent.frozen === false && agent.started) agent.frozen = undefined;
    },
  });
  const flags: State['flags'] = new Table(undefined, anything);
  const isFlagged = (hash: string): boolean => flags.values().some(({ target }) => target === hash);
  const state: State = {
    ...empty,
    isWhole: false,
    mayHavePassed: true,
    agents,
    flags,
    keys: new Table(undefined, anything),
    payments: new Table(undefined, anything),
    tickets: new Table(undefined, anything),
    sigils: new Table(undefined, anything),
    admins: new Table(undefined, anything),
    partners: new Table(undefined, anything),
    receipts: new Table(undefined, anything),
    // By parent and child: those of a child are known if all requests since its registration are.
    sponsorships: new Table(undefined, { mayHold: (key) => !isKnown(key.slice(key.indexOf(' ') + 1)) }),
    sustained: new Table(undefined, { mayHold: (hash) => !isKnown(hash) || isFlagged(hash) }),
    subsidies: new Table(undefined, ofAgent),
  };
  return state;
}

/** An agent that was there before the traffic. A reply has shown its hash. */
export function earlierAgent(hash: string): Agent {
  return {
    hash,
    written: hash,
    name: UNKNOWN,
    parent: UNKNOWN,
    depth: UNKNOWN,
    metadata: UNKNOWN,
    registeredBeat: undefined,
    linked: UNKNOWN,
    wallet: UNKNOWN,
    revoked: false,
    isPartial: true,
    ...unknownCourse(),
  };
}

/** The fields of an agent that change in the course of its life, all of them unknown. */
export function unknownCourse() {
  return {
    started: UNKNOWN as boolean,
    chain: { beat: undefined, hash: undefined },
    genesisHash: undefined,
    totalBeats: undefined,
    spendable: undefined,
    frozen: undefined,
    syncAnchor: undefined,
    revived: undefined,
    heartbeats: UNKNOWN as number,
    lastBeat: undefined,
    epoch: undefined,
    epochHeartbeats: UNKNOWN as number,
    sigil: UNKNOWN as Sigil | null,
    generation: undefined,
    fields: {},
    shown: {},
    lineageEvents: 0,
    lineageShown: null,
    passport: UNKNOWN as Agent['passport'],
    children: UNKNOWN as number,
    authorizations: UNKNOWN as number,
  };
}

/** A payment whose transfer was not seen. */
export const UNSEEN: Payment = {
  from: UNKNOWN,
  to: UNKNOWN,
  lamports: UNKNOWN,
  status: UNKNOWN,
  usedFor: UNKNOWN,
  tried: false,
  isPartial: true,
};
