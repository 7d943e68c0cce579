/**
 * The trial of each call of the control API whose effect a client can see: the requests, and the reply that shows the effect. The consequences are
 * in control-effects.ts.
 */

import { at, jsonIn } from '../../model/reading/values.js';
import { type EndpointId, endpointOf, nameOf } from '../../spec/endpoint-ids.js';
import { isObject } from '../../spec/formats.js';
import { classesOf } from '../../spec/parts.js';
import type { Reply } from '../assertions/reply.js';
import { flag as flagMove } from '../moves/flag.js';
import { secretHeader } from '../moves/register.js';
import type { Wallet } from '../protocol/wallet.js';
import { type Control, ControlFault } from './control.js';
import { paymentAddress, sigilPriceLamports } from './fixtures.js';
import { EFFECTS_ID, RUN_TRIAL_ID, type Session } from './session.js';

/** Whether a client sees an effect; undefined if the reply does not show it. */
type Seen = () => Promise<boolean | undefined>;

/** A call that was made, and its effect. */
export interface Tried {
  /** The effect in words. */
  readonly effect: string;
  readonly seen: Seen;
  /** The fault of a call, in words, if no endpoint can be the cause of its missing effect; otherwise undefined. */
  readonly missing?: () => Promise<string | undefined>;
}

/** A call of a check: its request and its reply. */
export interface Made {
  readonly body: unknown;
  readonly reply: unknown;
}

/** A trial: the requests that it sends at most, and its steps after a call of a check. */
interface EffectTrial {
  readonly requests: number;
  /** Whether a client can see the effect of this call; absent: of any call. */
  readonly fits?: (made: Made) => boolean;
  try(client: Client, made: Made): Promise<Tried | undefined>;
}

/** Requests of a client, from its own address. */
interface Client {
  /** A call of the control API that the model does not see. */
  readonly make: (name: string, body?: object) => Promise<Readonly<Record<string, string>>>;
  /** Whether the first of the endpoints that shows it accepts the key. */
  readonly takes: (ids: readonly EndpointId[], key: string) => Promise<boolean | undefined>;
  /** Whether all of the endpoints refuse the key. */
  readonly refuses: (ids: readonly EndpointId[], key: string) => Promise<boolean>;
  readonly register: () => Promise<{ readonly hash: string; readonly key: string } | undefined>;
  /** When the chain of a new agent starts, in ms of the server's clock. */
  readonly start: () => Promise<number | undefined>;
  /** A value at a path of a lookup's reply. */
  readonly shown: (id: EndpointId, path: string, params?: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly wallet: () => Wallet;
  /** An agent that has paid for a SIGIL; undefined if fees have a budget, or are not paid by the control API. */
  readonly buyer: () => Promise<Buyer | undefined>;
  /** A dismissed flag. The effect of the review is that the flag can be filed again. */
  readonly complaint: () => Promise<Seen | undefined>;
}

/** An agent that has paid for a SIGIL. */
interface Buyer {
  readonly key: string;
  /** Requests the SIGIL, and returns whether it is sold. */
  readonly seen: Seen;
}

const ADMIN: readonly EndpointId[] = ['subsidy.delete', 'subsidy.post'];
const PARTNER: readonly EndpointId[] = ['partner-webhook.get', 'partner-webhook.put', 'partner-webhook.delete'];

const refused =
  (seen: Seen): Seen =>
  async () => {
    const taken = await seen();
    return taken === undefined ? undefined : !taken;
  };

/** The number of further keys that must be refused, too, since a server may revoke a key when it issues another. */
const MORE_KEYS = 3;

/** A call that issues a key. It is at fault if every endpoint refuses all of its keys. */
function making(name: string, body: object, ids: readonly EndpointId[]): EffectTrial {
  return {
    requests: 2 + MORE_KEYS * (1 + ids.length),
    async try({ make, takes, refuses }) {
      const { key = '' } = await make(name, body);
      const missing = async (): Promise<string | undefined> => {
        for (let tries = 0; tries < MORE_KEYS; tries += 1) {
          const { key: another = '' } = await make(name, body);
          if (!(await refuses(ids, another))) return undefined;
        }
        return `${name} makes keys that are refused by ${ids.map(nameOf).join(' and ')}`;
      };
      return { effect: 'the new key is accepted', seen: () => takes(ids, key), missing };
    },
  };
}

/** A call that revokes a key; `subject` is made first. */
function ending(
  made: readonly [name: string, body: object],
  ids: readonly EndpointId[],
  end: (client: Client, subject: Readonly<Record<string, string>>) => Promise<unknown>,
): EffectTrial {
  return {
    requests: 2 + 2 * ids.length,
    async try(client) {
      const subject = await client.make(...made);
      const { key = '' } = subject;
      await end(client, subject);
      return { effect: 'the key is refused', seen: refused(() => client.takes(ids, key)) };
    },
  };
}

const NEW_ADMIN = ['POST admin-keys', {}] as const;
const NEW_PARTNER = ['POST partners', { name: 'control' }] as const;

const WALLET_LAMPORTS = 1_000;

/** The trial of each call. Each runs after a call of a check, so that the first partner of a run is not from a trial. */
export const TRIALS: Readonly<Record<string, EffectTrial>> = {
  'ledger/wallets': {
    requests: 3,
    async try({ make, wallet }) {
      const [from, to] = [wallet().address, wallet().address];
      await make('POST ledger/wallets', { address: from, lamports: WALLET_LAMPORTS });
      let refusal = '';
      const seen: Seen = async () => {
        try {
          await make('POST ledger/transfers', { from, to, lamports: WALLET_LAMPORTS });
          return true;
        } catch (error) {
          if (!(error instanceof ControlFault)) throw error;
          refusal = error.message;
          return error.status !== undefined && error.status < 500 && error.status !== 404 ? false : undefined;
        }
      };
      const effect = `the wallet can pay its ${WALLET_LAMPORTS} lamports`;
      return {
        effect,
        seen,
        missing: async () => `after POST ledger/wallets a wallet cannot pay what it was given: ${refusal}`,
      };
    },
  },
  'ledger/transfers': {
    requests: 9,
    async try({ buyer }) {
      const bought = await buyer();
      return bought && { effect: 'a SIGIL is sold for the transfer', seen: bought.seen };
    },
  },
  'admin-keys': making(...NEW_ADMIN, ADMIN),
  'admin-keys/expire': ending(NEW_ADMIN, ADMIN.slice(0, 1), ({ make }, { key }) =>
    make('POST admin-keys/expire', { key }),
  ),
  partners: making(...NEW_PARTNER, PARTNER),
  'partner-keys/expire': ending(NEW_PARTNER, PARTNER.slice(0, 1), ({ make }, { key }) =>
    make('POST partner-keys/expire', { key }),
  ),
  'partners/:ref/suspend': ending(NEW_PARTNER, PARTNER.slice(0, 1), ({ make }, { ref = '' }) =>
    make(`POST partners/${encodeURIComponent(ref)}/suspend`, {}),
  ),
  'agents/:hash/revoke-key': {
    requests: 4,
    async try({ make, takes, register }) {
      const agent = await register();
      if (agent === undefined) return undefined;
      await make(`POST agents/${agent.hash}/revoke-key`, {});
      return { effect: 'the key is refused', seen: refused(() => takes(['init'], agent.key)) };
    },
  },
  'flags/:id/review': {
    requests: 14,
    async try({ complaint }) {
      const seen = await complaint();
      return seen && { effect: 'the same flag is accepted again', seen };
    },
  },
  fees: {
    requests: 2,
    fits: ({ body }) => typeof at(body, 'heartbeat_tier1') === 'number',
    async try({ shown }, { body }) {
      const lamports = at(body, 'heartbeat_tier1');
      const seen: Seen = async () => {
        const tier = await shown('fees-summary', 'schedule.heartbeat_tiers.0.lamports');
        return typeof tier === 'number' ? tier === lamports : undefined;
      };
      return { effect: 'GET /fees/summary shows the table', seen };
    },
  },
};

/** A client of the target, with addresses that no check uses. */
export function clientOf(session: Session, control = session.control): Client {
  const { wire, target, addresses } = session;
  const draws = addresses.drawsOf('control');
  const apart = session.offers.has('client-ip');
  const send = async (id: EndpointId, headers: object, body: object, params: Readonly<Record<string, string>> = {}) => {
    const { method, path } = endpointOf(id);
    const address = apart ? { 'x-forwarded-for': addresses.next(draws) } : {};
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body) };
    const request = {
      method,
      url: target.baseUrl + path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
      headers: { 'content-type': 'application/json', ...address, ...headers },
      owner: RUN_TRIAL_ID,
      ...sent,
    };
    return wire.send(request, undefined, { watched: false });
  };
  const register: Client['register'] = async () => {
    const { status, body } = await send('register', secretHeader(session.target), { name: 'control' });
    const made = jsonIn({ body });
    session.redactor.learn(made);
    session.secrets.learn(made);
    const { hash, api_key: key } = (made ?? {}) as Readonly<Record<string, unknown>>;
    return status < 300 && typeof hash === 'string' && typeof key === 'string' ? { hash, key } : undefined;
  };
  const takenBy = async (id: EndpointId, key: string): Promise<boolean | undefined> => {
    const { status } = await send(id, { authorization: `Bearer ${key}` }, {});
    if (status === 401 || status === 403) return false;
    return status < 500 && ![404, 405, 429].includes(status) ? true : undefined;
  };
  return {
    register,
    async start() {
      const agent = await register();
      if (agent === undefined) return undefined;
      const { body } = await send('init', { authorization: `Bearer ${agent.key}` }, {});
      const startedMs = at(jsonIn({ body }), 'genesis.timestamp');
      return typeof startedMs === 'number' ? startedMs : undefined;
    },
    async make(name, body) {
      const { json } = await callOf(control)(name, body, undefined, { owner: RUN_TRIAL_ID, watched: false });
      session.redactor.learn(json);
      session.secrets.learn(json);
      return isObject(json) ? (json as Readonly<Record<string, string>>) : {};
    },
    async takes(ids, key) {
      for (const id of ids) {
        const taken = await takenBy(id, key);
        if (taken !== undefined) return taken;
      }
      return undefined;
    },
    async refuses(ids, key) {
      for (const id of ids) if ((await takenBy(id, key)) !== false) return false;
      return true;
    },
    async shown(id, path, params) {
      const { body } = await send(id, {}, {}, params);
      return at(jsonIn({ body }), path);
    },
    wallet: () => session.runTrial(EFFECTS_ID).wallet(),
    buyer: () => buyerOf(session, callOf(control)),
    complaint: () => complaintOf(session, callOf(control)),
  };
}

type Call = Control['call'];

function callOf(control: Control | undefined): Call {
  if (control === undefined) throw new Error('there is no control API');
  return control.call.bind(control);
}

/** An agent of the run's own that pays for a SIGIL. The model learns its fee, since the totals of the target include it, and judges none of its exchanges. */
async function buyerOf(session: Session, call: Call): Promise<Buyer | undefined> {
  const { budget, payments } = session.target;
  if (budget.lamports !== undefined || payments.kind !== 'control') return undefined;
  const t = session.runTrial(EFFECTS_ID);
  const [identity_class = ''] = classesOf(t.protocol);
  const lamports = sigilPriceLamports(t.protocol, identity_class);
  const { key, wallet } = await t.walletRoot({ init: true, fundedLamports: lamports });
  const transfer = { from: wallet.address, to: await paymentAddress(t), lamports };
  const paid = await call('POST ledger/transfers', transfer, undefined, { owner: EFFECTS_ID });
  const body = { identity_class, principal: t.principal(), tier: 'ind', payment_tx: paid.string('signature') };
  return { key, seen: async () => isAccepted(await t.call('sigil', { key, body })) };
}

/** A complaint of an agent with a SIGIL, which a review dismisses. */
async function complaintOf(session: Session, call: Call): Promise<Seen | undefined> {
  const reporter = await buyerOf(session, call);
  if (reporter === undefined || (await reporter.seen()) !== true) return undefined;
  const t = session.runTrial(EFFECTS_ID);
  const [asserted_class = ''] = classesOf(t.protocol);
  const body = { target_hash: (await t.root()).hash, asserted_class, reason: 'it gives orders' };
  const filed = () => t.send(flagMove(reporter, body));
  const dismiss = async (flag: Reply): Promise<void> => {
    const id = encodeURIComponent(flag.string('flag_id'));
    await call(`POST flags/${id}/review`, { outcome: 'dismiss' }, undefined, { owner: EFFECTS_ID });
  };
  await dismiss(await filed());
  return async () => {
    const again = await filed();
    const isTaken = isAccepted(again);
    // No complaint stays pending, since the circuit breaker counts them for the whole service (section 8).
    if (isTaken === true) await dismiss(again);
    return isTaken;
  };
}

const isAccepted = ({ status }: Reply): boolean | undefined => (status < 300 ? true : status < 500 ? false : undefined);
