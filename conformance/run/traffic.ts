/**
 * Has the model judge every exchange of a run next to the checks. The model needs a clock and payments whose every change it sees;
 * of a target without them it judges nothing.
 */

import type { Judged } from '../../model/oracle.js';
import { Oracle } from '../../model/oracle.js';
import { emptyState, type Settings } from '../../model/state.js';
import type { SeenEvidence, TrafficSeen } from '../judge/record.js';
import type { Target } from '../target/target.js';
import type { Redactor } from '../wire/redact.js';
import type { WireReply, WireRequest } from '../wire/transport.js';
import type { RawExchange } from '../wire/wire.js';

type Sent = Pick<WireRequest, 'method' | 'url' | 'headers' | 'body' | 'owner'>;

/** An exchange with the check that sent it. */
interface Sender extends RawExchange {
  readonly owner: string;
  response?: WireReply;
}

interface Counts {
  for: number;
  against: number;
  open: number;
}

/** The judge of a run's traffic. */
export class Traffic {
  readonly #oracle: Oracle<Sender>;
  readonly #clauses: Record<string, Counts> = {};
  readonly #against = new Map<string, Omit<SeenEvidence, 'exchange'> & { readonly by: Sender }>();
  #exchanges = 0;
  #judged = 0;
  #evidence = 0;

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
  watch({ owner = '', ...request }: Sent): (reply?: WireReply) => void {
    const by: Sender = { owner, request };
    const end = this.#oracle.begin(request, by);
    this.#exchanges += 1;
    return (reply) => {
      // A reply that is cut, or that may answer the second of two requests, says too little.
      if (reply === undefined || reply.cut === true || reply.resent !== undefined) return end();
      by.response = reply;
      end(reply);
    };
  }

  #keep({ by, judgement: { evidence, silences, endpoint } }: Judged<Sender>): void {
    this.#judged += evidence.length === 0 ? 0 : 1;
    this.#evidence += evidence.length;
    for (const one of evidence) {
      for (const clause of one.clauses) this.#countsOf(clause)[one.ok ? 'for' : 'against'] += 1;
      const key = `${endpoint} ${one.clauses.join()} ${one.about}`;
      if (!one.ok && !this.#against.has(key)) this.#against.set(key, { ...one, n: 0, endpoint, by });
    }
    for (const { clauses } of silences) for (const clause of clauses) this.#countsOf(clause).open += 1;
  }

  #countsOf(clause: string): Counts {
    const counts = this.#clauses[clause] ?? { for: 0, against: 0, open: 0 };
    this.#clauses[clause] = counts;
    return counts;
  }

  /** The findings, without secrets. */
  seen(redactor: Redactor): TrafficSeen {
    return {
      exchanges: this.#exchanges,
      judged: this.#judged,
      evidence: this.#evidence,
      clauses: this.#clauses,
      against: [...this.#against.values()].map(({ by, ...one }) => ({
        ...redactor.everywhere(one, new Set(['clauses', 'level', 'endpoint'])),
        check: by.owner,
        exchange: redactor.exchange(by),
      })),
    };
  }
}

function settingsOf(target: Target): Settings {
  const { baseUrl, beatsUrl, control, protocol, dialect, network, registrationSecret, byoWallet, beatsRequired } =
    target;
  return {
    protocol,
    dialect,
    baseUrl,
    beatsUrl,
    controlUrl: control?.url,
    byoWallet,
    beatsRequired,
    needsSecret: network === 'mainnet' || (registrationSecret === undefined ? false : undefined),
    mainnet: network === 'mainnet',
    registrationSecret,
  };
}
