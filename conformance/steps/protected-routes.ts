/**
 * Every route that takes an agent key, from the endpoint table: a function that prepares an accepted request, and its needs. The endpoints
 * themselves have their own checks.
 */

import type { Endpoint } from '../../spec/endpoint.js';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import * as spec from '../../spec/endpoints/index.js';
import type { Reply } from '../assertions/reply.js';
import { submitBeats } from '../moves/beats-submit.js';
import { complaint, flag } from '../moves/flag.js';
import { heartbeat } from '../moves/heartbeat.js';
import { change, FINE } from '../moves/metadata.js';
import type { Move } from '../moves/move.js';
import { registerChild, secretHeader } from '../moves/register.js';
import { reissue } from '../moves/reissue-proof.js';
import { resync } from '../moves/resync.js';
import { buySigil } from '../moves/sigil.js';
import { spawn } from '../moves/spawn.js';
import { endSponsorship, listSponsorships, sponsor } from '../moves/sponsor.js';
import { linkChallenge } from '../moves/wallet.js';
import { proofOf } from '../protocol/beats.js';
import type { CallOptions } from '../trial/caller.js';
import type { WrittenCheck } from '../trial/check.js';
import { type Agent, sigilPriceLamports, type WalletRootOptions } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { pair } from './flagging.js';
import { buy, heartbeatFee, purchase } from './paid.js';
import { fewest, frozen, penalty } from './resync-call.js';
import { authorizationFor, costBeats } from './spawn-call.js';
import { family } from './sponsor-call.js';
import { untilFrozen } from './waits.js';
import { chainEnd, chainProof, receiptFor, receiptOf, sharedChain } from './work.js';

/** A request that is accepted with its key. */
interface Ready {
  readonly move: Move;
  /** The agent that sends it. */
  readonly by: { readonly hash: string; readonly key: string };
  /** Undoes the effect of an accepted request on the whole service. */
  readonly settle?: (reply: Reply) => Promise<void>;
}

/** The needs of preparing one request. */
type RouteNeeds = Pick<WrittenCheck, 'needs' | 'waits' | 'controls'>;

/** A route that takes an agent key, and how to prepare a request that it accepts. */
interface ProtectedRoute {
  readonly id: EndpointId;
  /** The name of the route in the ids of checks. */
  readonly word: string;
  /** The clause that says which key it takes. */
  readonly clause: string;
  readonly needs: RouteNeeds;
  readonly ready: (t: Trial) => Promise<Ready>;
  /** Two requests of two agents, if they cannot be prepared one after the other. */
  readonly two?: (t: Trial) => Promise<readonly [Ready, Ready]>;
}

type Known = (typeof spec)[Exclude<keyof typeof spec, 'endpoints'>];
/** The endpoints that take an agent key. */
type AgentEndpointId = Extract<Known, { readonly auth: 'agent' }>['id'];

type Preparation = Pick<ProtectedRoute, 'needs' | 'ready' | 'two'>;

const paid: RouteNeeds = { needs: ['payments'] };
const work: RouteNeeds = { needs: ['beats'] };

/** Prepares an agent by `options` and a request that it has paid `lamports` for. */
async function readyToPay(
  t: Trial,
  options: WalletRootOptions,
  lamports: number,
  moveOf: (by: Agent, payment: string) => Move,
): Promise<Ready> {
  const by = await t.walletRoot(options);
  return { by, move: moveOf(by, await t.pay({ from: by.wallet, lamports })) };
}

async function withReceipt(t: Trial, by: Agent, missed: number): Promise<Ready> {
  const chain = await sharedChain(t, penalty(t, missed));
  return { by, move: resync(by, await receiptFor(t, proofOf(chain))) };
}

/** How to prepare an accepted request, by route. */
const preparations: Readonly<Record<AgentEndpointId, Preparation>> = {
  init: {
    needs: {},
    ready: async (t) => {
      const by = await t.root();
      return { by, move: { endpoint: 'init', key: by.key } };
    },
  },
  heartbeat: {
    needs: paid,
    ready: (t) => readyToPay(t, { sigil: 'narrow_task' }, heartbeatFee(t.protocol, 1).lamports, heartbeat),
  },
  sigil: {
    needs: paid,
    ready: (t) =>
      readyToPay(t, { init: true }, sigilPriceLamports(t.protocol, 'narrow_task'), (by, payment) =>
        buySigil(by, purchase(t), payment),
      ),
  },
  'reissue-proof': {
    needs: paid,
    ready: (t) => readyToPay(t, { sigil: 'narrow_task' }, t.protocol.reissue.feeLamports, reissue),
  },
  spawn: {
    needs: work,
    ready: async (t) => {
      const by = await t.root({ init: true });
      const beats_receipt = await receiptOf(t, costBeats(t, 0, 0));
      return { by, move: spawn(by, { child_name: t.word(), beats_receipt }) };
    },
  },
  'beats-submit': {
    needs: {},
    ready: async (t) => {
      const by = await t.root({ init: true });
      return { by, move: submitBeats(by, await chainProof(t, await chainEnd(t, by), 6)) };
    },
  },
  resync: {
    needs: { needs: ['clock', 'beats'], waits: untilFrozen() },
    ready: async (t) => {
      const agent = await frozen(t, fewest(t));
      return withReceipt(t, agent, agent.missed);
    },
    two: async (t) => {
      const one = await t.root({ init: true });
      const other = await frozen(t, fewest(t));
      return [await withReceipt(t, one, other.missed), await withReceipt(t, other, other.missed)];
    },
  },
  metadata: {
    needs: paid,
    ready: async (t) => {
      const by = await t.walletRoot({ init: true });
      t.mustSucceed(await buy(t, by, purchase(t)));
      return { by, move: change(by, FINE) };
    },
  },
  wallet: {
    needs: {},
    ready: async (t) => {
      const by = await t.root();
      return { by, move: linkChallenge(by) };
    },
  },
  passport: {
    needs: paid,
    ready: async (t) => {
      const by = await t.walletRoot({ sigil: 'narrow_task' });
      return { by, move: { endpoint: 'passport', key: by.key } };
    },
  },
  'sponsor.post': {
    needs: work,
    ready: async (t) => {
      const { parent, child } = await family(t);
      return { by: parent, move: sponsor(parent, child.hash) };
    },
  },
  'sponsor.delete': {
    needs: work,
    ready: async (t) => {
      const { parent, child } = await family(t);
      await t.send(sponsor(parent, child.hash));
      return { by: parent, move: endSponsorship(parent, child.hash) };
    },
  },
  'sponsor.get': {
    needs: work,
    ready: async (t) => {
      const { parent, child } = await family(t);
      await t.send(sponsor(parent, child.hash));
      return { by: parent, move: listSponsorships(parent) };
    },
  },
  flag: {
    needs: { needs: ['payments', 'control'], controls: ['flags/:id/review'] },
    ready: async (t) => {
      const { reporter, target } = await pair(t);
      const settle = async (filed: Reply): Promise<void> => {
        const id = filed.string('flag_id');
        // The circuit breaker counts pending flags for the whole service (section 8).
        await t.control(`POST flags/${encodeURIComponent(id)}/review`, { outcome: 'dismiss' });
      };
      return { by: reporter, move: flag(reporter, complaint(target)), settle };
    },
  },
};

/** Child registration takes the key of the parent. No other form of registration takes an agent key. */
const childRegistration: ProtectedRoute = {
  id: 'register',
  word: 'register-child',
  clause: 'register.child.auth',
  needs: work,
  ready: async (t) => {
    const by = await t.root({ init: true });
    const name = t.word();
    const spawn_authorization = await authorizationFor(t, by, name);
    return { by, move: registerChild(by, { name, parent: by.hash, spawn_authorization }) };
  },
};

const clauseOf = ({ id, stem }: Endpoint): string => {
  const [, part] = id.split('.');
  return part === undefined ? `${stem}.route` : `${stem}.route.${part}`;
};

/** Every route that takes an agent key, in the order of 4.1, and child registration. */
export const protectedRoutes: readonly ProtectedRoute[] = [
  ...spec.endpoints
    .filter(({ auth }) => auth === 'agent')
    .map((endpoint): ProtectedRoute => {
      const id = endpoint.id as AgentEndpointId;
      return { id, word: id.replace('.', '-'), clause: clauseOf(endpoint), ...preparations[id] };
    }),
  childRegistration,
];

/** Sends a prepared request under a key (by default its own), and undoes its effect on the service if it is accepted. */
export async function sendAs(t: Trial, { move, settle }: Ready, how: CallOptions = {}): Promise<Reply> {
  const headers = { ...(move.endpoint === 'register' ? secretHeader(t.target) : {}), ...how.headers };
  const reply = await t.send({ ...move, ...how, headers });
  if (reply.status >= 200 && reply.status < 300) await settle?.(reply);
  return reply;
}

/** Requests of two agents on one route. */
export async function twoReady(t: Trial, { ready, two }: ProtectedRoute): Promise<readonly [Ready, Ready]> {
  return two === undefined ? [await ready(t), await ready(t)] : two(t);
}
