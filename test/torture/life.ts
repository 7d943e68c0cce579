/**
 * An agent whose life goes on over crashes of its server: it knows what it was told was done, and what it was not told. A
 * refusal that can only mean that something acknowledged is gone is a broken promise. When servers crash is for others to say.
 */

import { type SigningKey, signingKey } from '../../reference/beats/signing.js';
import type { Reply, ServerProcess } from './server-process.js';

const SIGIL_LAMPORTS = 50_000_000;
const HEARTBEAT_LAMPORTS = 500_000;
/** Registration nonces hold for 300 s, which are five anchors. */
const NONCE_ANCHORS = 5;
/** 3.1: more than 60 missed anchors freeze an agent. */
const MISSED_ANCHORS_MAX = 60;

/** What is common to the lives of one server. */
export interface World {
  readonly paymentAddress: string;
  /** Heartbeats after which a life is over. */
  readonly heartbeatsMax: number;
  /** Anchors by which the clock was asked to move, acknowledged or not: so many may have passed. */
  anchors: number;
  /** Those that were acknowledged: so many have surely passed. */
  anchorsPassed: number;
  /** The latest anchor that a server has shown. */
  anchorsShown: number;
  acknowledged: number;
  readonly broken: string[];
}

/** A step of a life: what is sent, what follows, and which refusals break no promise. */
interface Step {
  readonly name: string;
  readonly send: (server: ServerProcess) => Promise<Reply>;
  readonly done: (body: Reply['body']) => void;
  /** After a request whose reply was lost: codes that say that it was accepted, and what follows. */
  readonly doneBefore?: { readonly codes: readonly string[]; readonly follow: () => void };
  /** Whether time alone explains a code, and what follows. */
  readonly timely?: (code: string) => (() => void) | undefined;
}

/** A registration, a wallet, a SIGIL and heartbeats without end. */
export class Life {
  private readonly key: SigningKey;
  private readonly address: string;
  private readonly name: string;
  private nonce: { readonly value: string; readonly anchors: number } | undefined;
  private apiKey = '';
  private funded = false;
  private started = false;
  private payment: string | undefined;
  /** The step whose reply was lost. */
  private inDoubt: string | undefined;
  /** Anchors that had surely passed when it was last known to be alive. */
  private syncedAt = 0;
  /** The payment of a heartbeat whose reply was lost. */
  private doubtedPayment: string | undefined;
  private retired = false;
  hash = '';
  sigil = false;
  heartbeats = 0;

  constructor(
    readonly number: number,
    private readonly world: World,
  ) {
    this.key = signingKey(Buffer.alloc(32, `life ${number}`));
    this.address = this.key.publicKeyBase58;
    this.name = `life ${number}`;
  }

  /** Whether nothing more comes of it, so that another takes its place. */
  get over(): boolean {
    return this.retired || this.heartbeats >= this.world.heartbeatsMax;
  }

  /** Whether its agent's chain is known to have started. */
  get active(): boolean {
    return this.started;
  }

  /** Does the next step, and rejects when the server is gone. False when time has to pass first. */
  async go(server: ServerProcess): Promise<boolean> {
    const step = this.next();
    const doubted = this.inDoubt === step.name;
    this.inDoubt = step.name;
    const { status, body, text } = await step.send(server);
    this.inDoubt = undefined;
    const code = String(body['code'] ?? '');
    const timely = step.timely?.(code);
    if (status === 200) {
      this.world.acknowledged += 1;
      step.done(body);
    } else if (doubted && step.doneBefore?.codes.includes(code)) step.doneBefore.follow();
    else if (timely !== undefined) {
      timely();
      return this.retired;
    } else {
      this.world.broken.push(`${this.name}: ${step.name} was answered ${status} ${text}`);
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
    // An address of its own, so that no limit by address is met.
    const from = `10.${(this.number >> 16) & 255}.${(this.number >> 8) & 255}.${this.number & 255}`;
    const bearer = this.apiKey === '' ? {} : { authorization: `Bearer ${this.apiKey}` };
    const headers = { 'x-forwarded-for': from, ...bearer };
    return (server) => server.call({ side: 'registry', method: 'POST', path: `/api/v1${path}`, body, headers });
  }

  private challenge(): Step {
    // Anchors that are asked for meanwhile may come after the nonce, and make it older.
    const { anchorsPassed: anchors } = this.world;
    return {
      name: 'challenge',
      send: this.post('/register', { name: this.name, wallet_model: 'operator' }),
      done: (body) => {
        this.nonce = { value: String(body['nonce']), anchors };
      },
    };
  }

  private register({ value, anchors }: { readonly value: string; readonly anchors: number }): Step {
    const signature = this.key.signHex(`service-register-operator:${value}:${this.address}:${this.name}`);
    const proof = { operator_wallet_address: this.address, wallet_nonce: value, wallet_signature: signature };
    const refused = 'NONCE_INVALID';
    const syncedAt = this.world.anchorsPassed;
    const renew = (): void => {
      this.nonce = undefined;
    };
    return {
      name: 'register',
      send: this.post('/register', { name: this.name, wallet_model: 'operator', ...proof }),
      done: (body) => {
        this.hash = String(body['hash']);
        this.apiKey = String(body['api_key']);
        this.syncedAt = syncedAt;
      },
      // The agent is there, and nobody knows its key.
      doneBefore: { codes: [refused], follow: this.retire },
      timely: (code) => (code === refused && this.world.anchors - anchors >= NONCE_ANCHORS ? renew : undefined),
    };
  }

  private start(): Step {
    const syncedAt = this.world.anchorsPassed;
    return {
      name: 'init',
      send: this.post('/agent/init', {}),
      done: () => {
        this.started = true;
        this.syncedAt = syncedAt;
      },
    };
  }

  private fund(): Step {
    // Enough for some transfers whose replies are lost, and that are made again.
    const body = { address: this.address, lamports: 100 * SIGIL_LAMPORTS };
    return {
      name: 'fund',
      send: (server) => server.call({ side: 'control', method: 'POST', path: '/control/v1/ledger/wallets', body }),
      done: () => {
        this.funded = true;
      },
    };
  }

  private pay(lamports: number): Step {
    const body = { from: this.address, to: this.world.paymentAddress, lamports };
    return {
      name: `pay ${lamports}`,
      send: (server) => server.call({ side: 'control', method: 'POST', path: '/control/v1/ledger/transfers', body }),
      done: ({ signature }) => {
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
      done,
      doneBefore: { codes: ['SIGIL_ALREADY_EXISTS'], follow: done },
    };
  }

  private heartbeat(payment: string): Step {
    const syncedAt = this.world.anchorsPassed;
    const done = (): void => {
      this.heartbeats += 1;
      this.payment = undefined;
      this.syncedAt = syncedAt;
    };
    const doubted = this.doubtedPayment === payment;
    this.doubtedPayment = payment;
    return {
      name: 'heartbeat',
      send: this.post('/agent/heartbeat', { payment_tx: payment }),
      done,
      timely: (code) => {
        const isFirst = this.heartbeats === 0;
        if (!doubted) this.doubtedPayment = undefined;
        if (code === 'PAYMENT_ALREADY_USED' && doubted) return done;
        if (code === 'HEARTBEAT_TOO_SOON' && doubted && isFirst) return done;
        if (code === 'HEARTBEAT_TOO_SOON' && !isFirst) return () => undefined;
        const isLate = this.world.anchors - this.syncedAt > MISSED_ANCHORS_MAX;
        return code === 'AGENT_FROZEN' && isLate ? this.retire : undefined;
      },
    };
  }
}
