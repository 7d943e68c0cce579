/** The fees of agents: by the text, by the fee table, and by subsidies (4.17, D-38). */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import { heartbeatsInEpoch, isPast, tierOf } from './rules.js';
import { type Agent, builtInFees, type FeeType, type State } from './state.js';

/** The endpoints that take a fee, and its type. */
export const feeTypes: Readonly<Partial<Record<EndpointId, FeeType>>> = {
  heartbeat: 'heartbeat',
  sigil: 'sigil',
  'reissue-proof': 'reissuance',
};

/** A fee by its name in the fee table, and the clauses that state it. */
export interface Fee {
  readonly feeType: FeeType;
  readonly name: string;
  readonly stated?: readonly string[];
  /** Lamports in addition to the fee of the name. */
  readonly extra?: number;
}

/** A fee that is due. */
export interface Price {
  readonly feeType: FeeType;
  /** In lamports; undefined: unknown. */
  readonly fee: number | undefined;
  /** The clauses that state the amount. */
  readonly feeClauses: readonly string[];
  /** The fee that would be due if the deleted subsidy still applied. */
  readonly subsidizedFee?: number | undefined;
  /** Why the fee is unknown, if nobody has stated it. */
  readonly open?: string;
}

/** Why a fee is not judged. */
export const FEES_OPEN =
  'administrators may have set other fees (4.17): a target file or a fees summary has to show them';

/** The clauses about the expiry of a subsidy. */
const UNTIL = ['fee.subsidy.expired', 'subsidy.post.body.valid-until'];

/** The fee that is due from an agent. `stated`: the clauses of the full fee, which count if no subsidy lowers it. */
export function priceOf(state: State, agent: Agent, { feeType, name, stated = [], extra = 0 }: Fee): Price {
  const price = (fee: number | undefined, ...feeClauses: readonly string[]): Price => ({ feeType, fee, feeClauses });
  const { fee: named, clauses } = baseFeeOf(state, name);
  const base = named === undefined ? undefined : named + extra;
  const isTabled = name in state.feeTable;
  const full = [...(isTabled || clauses.includes('fees-summary.purpose') ? [] : stated), ...clauses];
  if (base === undefined && isOpen(state, name)) return { ...price(undefined, ...full), open: FEES_OPEN };
  const key = `${agent.hash} ${feeType}`;
  if (base === undefined || state.subsidies.isUnknown(key)) return price(undefined, ...full);
  const subsidy = state.subsidies.get(key);
  const other = hasOtherSubsidy(state, agent, feeType) ? ['subsidy.scope'] : [];
  if (subsidy === undefined) return price(base, ...full, ...other);
  const { bps, floor, untilMs, floorClauses, replaces } = subsidy;
  if (bps === 0) {
    const own = price(base, ...full, ...other, 'subsidy.delete.reply', 'fee.resolution.default');
    // Another subsidy might give the same fee, so the deleted one could not be recognized.
    return other.length > 0 ? own : { ...own, subsidizedFee: reduced(base, subsidy.deletedBps ?? 0, floor) };
  }
  const isOver = untilMs === null ? false : isPast(state, untilMs);
  if (isOver === undefined) return price(undefined, ...full);
  const until = untilMs === null ? [] : UNTIL;
  if (isOver) return price(base, ...full, ...until);
  const lowered = (base * (10_000 - bps)) / 10_000;
  const fee = reduced(base, bps, floor);
  // Rounding, a minimum above 0 and a floor above the fee are decisions.
  if (fee !== Math.max(floor, lowered)) return price(fee, 'fee.subsidy.formula');
  return price(
    fee,
    ...['fee.resolution.subsidy', 'service.subsidy', 'fee.subsidy.formula', ...until],
    ...(floor > lowered ? ['fee.floor', ...floorClauses] : ['subsidy.post.discount']),
    ...(isTabled ? ['fee.resolution.table'] : []),
    // The clause of a class applies to its fee with or without a subsidy.
    ...stated.filter((id) => id.startsWith('service.')),
    ...(replaces ? ['subsidy.post.upsert'] : []),
  );
}

/** An item with a fee: a heartbeat, a reissued passport, or a SIGIL of a class. */
export type Item = 'heartbeat' | 'reissuance' | `sigil_${string}`;

/** The deposit that a change asks for with a SIGIL; a frozen agent pays it with its resync. Undefined where the freeze is unknown. */
export function depositWithSigil({ settings: { protocol } }: State, { frozen }: Agent): number | undefined {
  const { lamports } = protocol.deposit;
  return lamports === 0 || frozen === true ? 0 : frozen === false ? lamports : undefined;
}

/** The deposit that a change asks for with the resync of an agent that has a SIGIL. */
export const depositWithResync = ({ settings: { protocol } }: State, { sigil }: Agent): number =>
  sigil === null ? 0 : protocol.deposit.lamports;

/** The price of an item for an agent now, its fee and the deposit, in lamports; undefined if it is unknown. */
export function feeNow(state: State, agent: Agent, item: Item): number | undefined {
  if (item === 'reissuance') return priceOf(state, agent, { feeType: item, name: item }).fee;
  if (item !== 'heartbeat') {
    const { fee } = priceOf(state, agent, { feeType: 'sigil', name: item });
    const deposit = depositWithSigil(state, agent);
    return fee === undefined || deposit === undefined ? undefined : fee + deposit;
  }
  const nth = (heartbeatsInEpoch(state, agent) ?? 0) + 1;
  const fee = {
    feeType: 'heartbeat',
    name: `heartbeat_tier${tierOf(state, nth)}`,
    extra: epochFee(state, nth),
  } as const;
  return priceOf(state, agent, fee).fee;
}

/** The fee of a billing epoch, which its first heartbeat pays in addition; the text has none. */
export const epochFee = ({ settings }: State, nth: number | undefined): number =>
  nth === 1 ? settings.protocol.heartbeat.epochFeeLamports : 0;

/** 4.17: a fee in lamports after a discount in basis points, at least the floor. */
function reduced(base: number, bps: number, floor: number): number {
  return Math.min(base, Math.max(1, floor, Math.floor((base * (10_000 - bps)) / 10_000)));
}

/** Whether a fee is that of a configuration which the traffic may not show. */
export const isOpen = ({ isWhole, settings, feeTable }: State, name: string): boolean =>
  !isWhole && settings.feesOpen === true && !(name in feeTable);

/**
 * The fee of a name without subsidies: the entry of the fee table, otherwise the built-in fee, or where fees are open the shown one. Each has its own
 * clauses.
 */
export function baseFeeOf(
  state: State,
  name: string,
): { readonly fee: number | undefined; readonly clauses: readonly string[] } {
  const { feeTable, settings, shownFees } = state;
  const set = feeTable[name];
  if (set !== undefined) return { fee: set, clauses: ['fee.resolution.table', 'fee.table.control'] };
  const fee = builtInFees(settings.protocol)[name];
  const shown = shownFees?.[name];
  if (isOpen(state, name) && shown !== fee)
    return { fee: shown, clauses: shown === undefined ? [] : ['fees-summary.purpose'] };
  return { fee, clauses: Object.keys(feeTable).length > 0 ? ['fee.resolution.default'] : [] };
}

/** Whether a subsidy that does not apply is close: on another fee of the agent, or on the same fee of its parent or of an agent with its wallet. */
function hasOtherSubsidy(state: State, { hash, parent, wallet }: Agent, feeType: FeeType): boolean {
  return [...state.subsidies.keys()].some((key) => {
    const [owner = '', type] = key.split(' ');
    if (state.subsidies.get(key)?.bps === 0) return false;
    if (owner === hash) return type !== feeType;
    const { address } = state.agents.peek(owner)?.wallet ?? {};
    return type === feeType && (owner === parent || (address !== undefined && address === wallet?.address));
  });
}
