/**
 * Has the model judge every exchange of a run, and keeps what it shows by the check that sent it. The model needs a clock and
 * payments whose every change it sees; of a target without them it judges nothing.
 */

import type { Evidence } from '../../model/evidence.js';
import { type Judged, Oracle } from '../../model/oracle.js';
import { emptyState, type Settings } from '../../model/state.js';
import type { SeenEvidence } from '../judge/record.js';
import type { Target } from '../target/target.js';
import type { Redactor } from '../wire/redact.js';
import type { WireReply, WireRequest } from '../wire/transport.js';
import type { RawExchange } from '../wire/wire.js';

type Sent = Pick<WireRequest, 'method' | 'url' | 'headers' | 'body' | 'owner'>;

/** A piece of evidence with the first exchange that showed it. */
interface Kept {
  readonly evidence: Evidence;
  readonly endpoint: string;
  readonly exchange: RawExchange;
}

/** How much the model judged of a run. */
export interface TrafficFigures {
  exchanges: number;
  judged: number;
  evidence: number;
  against: number;
}

/** The judge of a run's traffic. */
export class Traffic {
  readonly figures: TrafficFigures = { exchanges: 0, judged: 0, evidence: 0, against: 0 };
  readonly #oracle: Oracle<RawExchange & { readonly owner: string | undefined }>;
  readonly #byOwner = new Map<string, Map<string, Kept>>();

  private constructor(settings: Settings) {
    this.#oracle = new Oracle(emptyState(settings), (judged) => this.#keep(judged));
  }

  /** The judge for a target; undefined for one of which the model sees too little. */
  static of(target: Target): Traffic | undefined {
    const { control, payments, dialect, shapes } = target;
    const isSeen = control !== undefined && payments.kind === 'control' && dialect.name === 'service';
    return isSeen && Object.keys(shapes).length === 0 ? new Traffic(settingsOf(target)) : undefined;
  }

  /** Notes that a request is sent; the returned function takes its reply, or nothing where none came. */
  watch(request: Sent): (reply?: WireReply) => void {
    const { owner, ...sent } = request;
    const by: { owner: string | undefined; request: RawExchange['request']; response?: WireReply } = {
      owner,
      request: sent,
    };
    const end = this.#oracle.begin(sent, by);
    this.figures.exchanges += 1;
    return (reply) => {
      // Of a reply that is cut, or may be the second to a request, nobody knows what it is the reply to.
      if (reply === undefined || reply.cut === true || reply.resent !== undefined) return end();
      by.response = reply;
      end({ status: reply.status, replyHeaders: reply.headers, replyBody: reply.body });
    };
  }

  #keep({ by, judgement }: Judged<RawExchange & { readonly owner: string | undefined }>): void {
    if (judgement.evidence.length === 0) return;
    this.figures.judged += 1;
    const owner = by.owner ?? '';
    const kept = this.#byOwner.get(owner) ?? new Map<string, Kept>();
    this.#byOwner.set(owner, kept);
    for (const evidence of judgement.evidence) {
      this.figures.evidence += 1;
      if (!evidence.ok) this.figures.against += 1;
      const key = `${evidence.ok} ${evidence.clauses.join()} ${evidence.about}`;
      if (!kept.has(key)) kept.set(key, { evidence, endpoint: judgement.endpoint, exchange: by });
    }
  }

  /** What the exchanges of a check have shown, each fact once. */
  of(check: string, redactor: Redactor): readonly SeenEvidence[] {
    return [...(this.#byOwner.get(check)?.values() ?? [])].map(({ evidence, endpoint, exchange }) => ({
      ...evidence,
      n: 0,
      endpoint,
      ...(evidence.ok ? {} : { exchange: redactor.exchange(exchange) }),
    }));
  }
}

function settingsOf({
  baseUrl,
  beatsUrl,
  control,
  protocol,
  dialect,
  network,
  registrationSecret,
  ...target
}: Target): Settings {
  return {
    protocol,
    baseUrl,
    beatsUrl,
    controlUrl: control?.url,
    byoWallet: target.byoWallet,
    beatsRequired: target.beatsRequired,
    needsSecret: network === 'mainnet' || (registrationSecret === undefined ? false : undefined),
    mainnet: network === 'mainnet',
    signatureField: dialect.passportSignatureField,
    messagePrefix: dialect.messagePrefix,
    registrationSecret,
  };
}
