/**
 * A simulated client that registers, buys a SIGIL and sends heartbeats, over crashes of its server. It remembers which requests were
 * acknowledged, and which one lost its reply. A refusal is a broken promise if it means that the server has forgotten an
 * acknowledged request. Servers are killed in real-crashes.ts.
 */

import { type SigningKey, signingKey } from '../../reference/beats/signing.js';
import type { Reply, ServerProcess } from './server-process.js';

const SIGIL_LAMPORTS = 50_000_000;
const HEARTBEAT_LAMPORTS = 500_000;
/** Registration nonces hold for 300 s, which are five anchors. */
const NONCE_ANCHORS = 5;
/** 3.1: more than 60 missed anchors freeze an agent. */
const MISSED_ANCHORS_MAX = 60;

/** The state that the lives of one server share: its limits, its time, and what went wrong. */
export interface LivesState {
  readonly paymentAddress: string;
  /** Heartbeats after which a life has ended. */
  readonly heartbeatsMax: number;
  /** Anchors by which the clock was asked to move, acknowledged or not: at most this many have passed. */
  anchorsAsked: number;
  /** Those of them that were acknowledged: at least this many have passed. */
  anchorsPassed: number;
  /** The latest anchor that a server has shown. */
  anchorsShown: number;
  /** Requests that were accepted, of all lives. */
  acknowledged: number;
  readonly brokenPromises: string[];
}

/** A step of a life: a request, what its acceptance changes, and which refusals break no promise. */
interface Step {
  readonly name: string;
  readonly send: (server: ServerProcess) => Promise<Reply>;
  readonly accepted: (body: Reply['body']) => void;
  /** For a request that is sent again because its reply was lost: codes that mean that the first was accepted, and what that changes. */
  readonly acceptedBefore?: { readonly codes: readonly string[]; readonly apply: () => void };
  /** The change by a refusal whose code the time that may have passed explains; undefined: time does not explain the code. */
  readonly explainedByTime?: (code: string) => (() => void) | undefined;
}

/** One agent: its registration, its wallet, its SIGIL and its heartbeats, up to `heartbeatsMax`. */
export class Life {
  private readonly key: SigningKey;
  private readonly address: string;
  private readonly name: string;
  private nonce: { readonly value: string; readonly anchors: number } | undefined;
  private apiKey = '';
  private funded = false;
  private payment: string | undefined;
  /** The step whose reply was lost. */
  private inDoubt: string | undefined;
  /** The least number of anchors that had passed at its last acknowledged sign of life. */
  private syncedAtAnchor = 0;
  /** The payment of a heartbeat whose reply was lost. */
  private paymentInDoubt: string | undefined;
  private retired = false;
  hash = '';
  /** Whether its agent's init was acknowledged. */
  started = false;
  sigil = false;
  heartbeats = 0;

  constructor(
    readonly number: number,
    private readonly shared: LivesState,
  ) {
    this.key = signingKey(Buffer.alloc(32, `life ${number}`));
    this.address = this.key.publicKeyBase58;
    this.name = `life ${number}`;
  }

  /** Whether it has no next step, so that another life takes its place. */
  get ended(): boolean {
    return this.retired || this.heartbeats >= this.shared.heartbeatsMax;
  }

  /** Takes the next step, and rejects when the server is gone. False if time has to pass before the next attempt. */
  async takeStep(server: ServerProcess): Promise<boolean> {
    const step = this.next();
    const doubted = this.inDoubt === step.name;
    this.inDoubt = step.name;
    const { status, body, text } = await step.send(server);
    this.inDoubt = undefined;
    const code = String(body['code'] ?? '');
    const applyTime = step.explainedByTime?.(code);
    if (status === 200) {
      this.shared.acknowledged += 1;
      step.accepted(body);
    } else if (doubted && step.acceptedBefore?.codes.includes(code)) step.acceptedBefore.apply();
    else if (applyTime !== undefined) {
      applyTime();
      return this.retired;
    } else {
      this.shared.brokenPromises.push(`${this.name}: ${step.name} was answered ${status} ${text}`);
      this.retire();
    }
    return true;
  }

  private readonly retire = (): void => {
    this.retired = true;
  };

  private next(): Step {
    if (this.hash === '') return this.nonce === undefined ? this.challenge() : this.register(this.nonce);
    if (!this.started) return this.start();
    if (!this.funded) return this.fund();
    if (this.payment === undefined) return this.pay(this.sigil ? HEARTBEAT_LAMPORTS : SIGIL_LAMPORTS);
    return this.sigil ? this.heartbeat(this.payment) : this.buySigil(this.payment);
  }

  private post(path: string, body: object): (server: ServerProcess) => Promise<Reply> {
    // Each life has an address of its own, so that it meets no limit by address.
    const from = `10.${(this.number >> 16) & 255}.${(this.number >> 8) & 255}.${this.number & 255}`;
    const bearer = this.apiKey === '' ? {} : { authorization: `Bearer ${this.apiKey}` };
    const headers = { 'x-forwarded-for': from, ...bearer };
    return (server) => server.call({ side: 'registry', method: 'POST', path: `/api/v1${path}`, body, headers });
  }

  private challenge(): Step {
    // Counted before the request: an anchor that is issued meanwhile may come after the nonce.
    const { anchorsPassed: anchors } = this.shared;
    return {
      name: 'challenge',
      send: this.post('/register', { name: this.name, wallet_model: 'operator' }),
      accepted: (body) => {
        this.nonce = { value: String(body['nonce']), anchors };
      },
    };
  }

  private register({ value, anchors }: { readonly value: string; readonly anchors: number }): Step {
    const signature = this.key.signHex(`service-register-operator:${value}:${this.address}:${this.name}`);
    const proof = { operator_wallet_address: this.address, wallet_nonce: value, wallet_signature: signature };
    const refused = 'NONCE_INVALID';
    const syncedAt = this.shared.anchorsPassed;
    const renew = (): void => {
      this.nonce = undefined;
    };
    return {
      name: 'register',
      send: this.post('/register', { name: this.name, wallet_model: 'operator', ...proof }),
      accepted: (body) => {
        this.hash = String(body['hash']);
        this.apiKey = String(body['api_key']);
        this.syncedAtAnchor = syncedAt;
      },
      // The agent is registered, but its key was in the lost reply.
      acceptedBefore: { codes: [refused], apply: this.retire },
      explainedByTime: (code) =>
        code === refused && this.shared.anchorsAsked - anchors >= NONCE_ANCHORS ? renew : undefined,
    };
  }

  private start(): Step {
    const syncedAt = this.shared.anchorsPassed;
    return {
      name: 'init',
      send: this.post('/agent/init', {}),
      accepted: () => {
        this.started = true;
        this.syncedAtAnchor = syncedAt;
      },
    };
  }

  private fund(): Step {
    // Enough to repeat some transfers whose replies are lost.
    const body = { address: this.address, lamports: 100 * SIGIL_LAMPORTS };
    return {
      name: 'fund',
      send: (server) => server.call({ side: 'control', method: 'POST', path: '/control/v1/ledger/wallets', body }),
      accepted: () => {
        this.funded = true;
      },
    };
  }

  private pay(lamports: number): Step {
    const body = { from: this.address, to: this.shared.paymentAddress, lamports };
    return {
      name: `pay ${lamports}`,
      send: (server) => server.call({ side: 'control', method: 'POST', path: '/control/v1/ledger/transfers', body }),
      accepted: ({ signature }) => {
        this.payment = String(signature);
      },
    };
  }

  private buySigil(payment: string): Step {
    const sigil = { identity_class: 'narrow_task', principal: 'torture', tier: 'org', payment_tx: payment };
    const done = (): void => {
      this.sigil = true;
      this.payment = undefined;
    };
    return {
      name: 'sigil',
      send: this.post('/sigil', sigil),
      accepted: done,
      acceptedBefore: { codes: ['SIGIL_ALREADY_EXISTS'], apply: done },
    };
  }

  private heartbeat(payment: string): Step {
    const syncedAt = this.shared.anchorsPassed;
    const done = (): void => {
      this.heartbeats += 1;
      this.payment = undefined;
      this.syncedAtAnchor = syncedAt;
    };
    const doubted = this.paymentInDoubt === payment;
    this.paymentInDoubt = payment;
    return {
      name: 'heartbeat',
      send: this.post('/agent/heartbeat', { payment_tx: payment }),
      accepted: done,
      explainedByTime: (code) => {
        const isFirst = this.heartbeats === 0;
        if (!doubted) this.paymentInDoubt = undefined;
        if (code === 'PAYMENT_ALREADY_USED' && doubted) return done;
        if (code === 'HEARTBEAT_TOO_SOON' && doubted && isFirst) return done;
        if (code === 'HEARTBEAT_TOO_SOON' && !isFirst) return () => undefined;
        const isLate = this.shared.anchorsAsked - this.syncedAtAnchor > MISSED_ANCHORS_MAX;
        return code === 'AGENT_FROZEN' && isLate ? this.retire : undefined;
      },
    };
  }
}
