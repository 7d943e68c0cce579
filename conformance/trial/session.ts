/**
 * State that all checks of one run share: target, facts, clock, budget and shared agents. The state of a single
 * check is in trial.ts.
 */
import type { State } from '../../model/facts/state.js';
import type { Facts } from '../../spec/endpoint.js';
import type { ChainPool } from '../protocol/chain-pool.js';
import { accessSecrets } from '../target/access.js';
import type { Target } from '../target/target.js';
import type { Redactor } from '../wire/redact.js';
import { SECRET_CHARS_MIN } from '../wire/secret-finder.js';
import type { Transcript } from '../wire/transcript.js';
import { TransportFailure } from '../wire/transport.js';
import type { WebhookReceiver } from '../wire/webhook-receiver.js';
import type { Wire } from '../wire/wire.js';
import type { AddressBook } from './addresses.js';
import type { AnchorSchedule } from './anchors.js';
import type { Need } from './check.js';
import type { Barrier } from './clock.js';
import { type Control, ControlFault } from './control.js';
import type { Agent } from './fixtures.js';
import type { Payer } from './payer.js';
import type { Presence } from './presence.js';
import type { Secrets } from './secrets.js';
import type { Trial } from './trial.js';

/** The id of a run's own trial. Recordings contain it, and its random draws follow from it, so it never changes. */
export const RUN_TRIAL_ID = 'house';
/** The id of requests that show the effect of a control call. The model learns from them, and judges none. */
export const EFFECTS_ID = 'control';

/** State and services that the checks of one run share. */
export interface Session {
  readonly target: Target;
  /** The numbers and names by which the target is judged. */
  readonly facts: Facts;
  readonly offers: ReadonlySet<Need>;
  /** How many transfers one control call makes. */
  readonly transfersMax: number;
  /** Seconds that checks may wait in real time; 0 if the clock can be moved, or if the run may not wait. */
  readonly observedSec: number;
  readonly seed: number;
  /**
   * A text made of the target's total fees and its time at the start of the run. Names and addresses follow from it, so they differ from those of
   * earlier runs, which are in use or have full buckets. After a reset of the target the text is the same again.
   */
  readonly salt: string;
  readonly wire: Wire;
  readonly control: Control | undefined;
  readonly payer: Payer;
  readonly barrier: Barrier;
  /** Why checks cannot rely on the clock; undefined if it moves as it reports. */
  clockFault?: string | undefined;
  /** The receiver of webhook deliveries; undefined if the target file configures none. */
  readonly receiver: WebhookReceiver | undefined;
  /** Computes the beats that checks prove. */
  readonly chains: ChainPool;
  readonly addresses: AddressBook;
  readonly anchors: AnchorSchedule;
  /** Secrets that the run was given or issued. */
  readonly secrets: Secrets;
  /** Hides all secrets in everything that leaves the run. */
  readonly redactor: Redactor;
  /** The model's knowledge of the target; undefined where it judges nothing. */
  readonly model: State | undefined;
  /** Takes the transcript of each check that begins, where the run is watched. */
  readonly live?: { readonly begin: (check: string, redactor: Redactor, transcript: Transcript) => void } | undefined;
  /** Whether reads are added for the model. */
  readonly looks: boolean;
  /** Which endpoints the target has. */
  readonly presence: Presence;
  readonly wallMs: () => number;
  readonly waitMs: (ms: number) => Promise<void>;
  /** Facts that are requested once: the address for fees, the key that signs, and the shared agent. */
  readonly once: Map<string, Promise<unknown>>;
  /** The run's own trial, with its own address, for requests on behalf of all checks; with an id, another one. */
  readonly runTrial: (id?: typeof RUN_TRIAL_ID | typeof EFFECTS_ID) => Trial;
}

/**
 * The value of a fact that is requested once per run, by name. A failed attempt is not kept: a lost reply ends the check that sent the request, and
 * other checks that waited for it send their own.
 */
export async function once<T>(session: Session, name: string, ask: () => Promise<T>): Promise<T> {
  for (let known = session.once.get(name); known !== undefined; known = session.once.get(name)) {
    try {
      return (await known) as T;
    } catch (error) {
      const isLost = error instanceof TransportFailure || (error instanceof ControlFault && error.isLost);
      if (!isLost) throw error;
    }
  }
  const asked = ask();
  session.once.set(name, asked);
  try {
    return await asked;
  } catch (error) {
    session.once.delete(name);
    throw error;
  }
}

/** The agent that checks share while no protocol time has passed since it was made. */
export interface SharedAgent {
  readonly agent: Agent;
  readonly madeMs: number;
}

/** The secrets of a target, by the shell variable that stands for each. */
export function secretsOf(target: Target): Readonly<Record<string, string | undefined>> {
  return {
    REGISTRATION_SECRET: target.registrationSecret,
    ADMIN_KEY: target.adminKey,
    PARTNER_KEY: target.partnerKey,
    CONTROL_TOKEN: target.control?.token,
    RPC_KEY: target.payments.kind === 'solana-rpc' ? rpcKeyOf(target.payments.rpcUrl) : undefined,
  };
}

/** The path of each secret in a target file. */
const PLACES: Readonly<Record<string, string>> = {
  REGISTRATION_SECRET: 'registration_secret',
  ADMIN_KEY: 'admin_key',
  PARTNER_KEY: 'partner_key',
  CONTROL_TOKEN: 'control.token',
  RPC_KEY: 'payments.rpc_url',
  PROXY_PASSWORD: 'proxy',
};

/** The secrets of a target file that are too short to be distinguished from other text, by their path in the file. */
export function shortSecretsOf(target: Target): readonly string[] {
  const places = Object.entries(hiddenOf(target)).flatMap(([name, value]) =>
    typeof value === 'string' && value.length < SECRET_CHARS_MIN
      ? [PLACES[name] ?? (name.startsWith('HEADER_') ? 'headers' : 'payments.command')]
      : [],
  );
  return [...new Set(places)];
}

/** The values of a target that reports hide: its secrets, and those that its payments are made with. */
export function hiddenOf(target: Target): Readonly<Record<string, string | readonly number[] | undefined>> {
  const { payments } = target;
  const args = payments.kind === 'command' ? (payments.secrets ?? []) : [];
  return {
    ...secretsOf(target),
    ...accessSecrets(target),
    PAYMENT_KEY: payments.kind === 'solana-rpc' ? payments.wallet.keyFileNumbers() : undefined,
    ...Object.fromEntries(args.map((value, index) => [`PAYMENT_ARGUMENT_${index + 1}`, value])),
  };
}

/** The confidential part of a ledger's URL: providers put the caller's key into its path or query. */
function rpcKeyOf(rpcUrl: string): string | undefined {
  const { pathname, search } = new URL(rpcUrl);
  const key = pathname + search;
  return key === '/' ? undefined : key.slice(1);
}
