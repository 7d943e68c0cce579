/** Evidence about a clause for clients: the requests that it applies to, and those that break it. The clauses are in clauses-*.ts. */

import { accepted, type Exchange, type WatchedRun } from './exchange.js';

/** A request that breaks a clause, and why. */
interface Fault {
  readonly exchange: Exchange;
  readonly why: string;
}

/** The requests that a clause applies to, and those of them that break it. */
interface Evidence {
  readonly seen: readonly Exchange[];
  readonly faults: readonly Fault[];
}

/** One requirement of the specification on clients. */
export interface ClientClause {
  readonly id: string;
  /** The section of the specification that it follows from. */
  readonly section: string;
  readonly text: string;
  readonly look: (run: WatchedRun) => Evidence;
}

/** Looks at each exchange by itself; `wrong` returns why one breaks the clause. */
export function each(exchanges: readonly Exchange[], wrong: (exchange: Exchange) => string | undefined): Evidence {
  const faults = exchanges.flatMap((exchange) => {
    const why = wrong(exchange);
    return why === undefined ? [] : [{ exchange, why }];
  });
  return { seen: exchanges, faults };
}

/** Looks for refusals that the client should have avoided: those with one of these codes. */
export function withoutRefusal(exchanges: readonly Exchange[], codes: readonly string[], why: string): Evidence {
  return each(exchanges, ({ reply }) => (codes.includes(String(reply['code'])) ? why : undefined));
}

/** Looks for values that are sent again after they were used up. */
export function usedOnce(
  exchanges: readonly Exchange[],
  {
    valueIn,
    why,
    usedUpBy = accepted,
  }: {
    readonly valueIn: (exchange: Exchange) => unknown;
    readonly why: string;
    /** True for an exchange after which its value cannot be used again. Default: every accepted exchange. */
    readonly usedUpBy?: (exchange: Exchange) => boolean;
  },
): Evidence {
  const spent = new Set<string>();
  const seen = exchanges.filter((exchange) => valueIn(exchange) !== undefined);
  return each(seen, (exchange) => {
    const value = JSON.stringify(valueIn(exchange));
    const again = spent.has(value) ? why : undefined;
    if (usedUpBy(exchange)) spent.add(value);
    return again;
  });
}

/**
 * Looks at the exchanges after each trigger: `wrong` returns why one breaks the clause, or `over` if the clause no longer
 * applies to later ones.
 */
export function after(
  { exchanges }: WatchedRun,
  triggers: readonly Exchange[],
  wrong: (later: Exchange, trigger: Exchange) => string | 'over' | undefined,
): Evidence {
  const faults: Fault[] = [];
  for (const trigger of triggers) {
    for (const later of exchanges.filter(({ n }) => n > trigger.n)) {
      const found = wrong(later, trigger);
      if (found === undefined) continue;
      if (found !== 'over') faults.push({ exchange: later, why: found });
      break;
    }
  }
  return { seen: triggers, faults };
}
