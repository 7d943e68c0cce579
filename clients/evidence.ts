/** Evidence about a clause of the checklist: what showed it, and what broke it. Which exchanges those are is the checklist's. */

import type { Exchange, WatchedRun } from './exchange.js';

/** A request that breaks a clause, and why. */
export interface Fault {
  readonly exchange: Exchange;
  readonly why: string;
}

/** The requests that a clause could be seen in, and those that break it. */
export interface Evidence {
  readonly seen: readonly Exchange[];
  readonly faults: readonly Fault[];
}

/** One thing that the specification asks of a client. */
export interface ClientClause {
  readonly id: string;
  /** The section of the specification that it follows from. */
  readonly section: string;
  readonly text: string;
  readonly look: (run: WatchedRun) => Evidence;
}

/** Looks at each of some exchanges alone; `wrong` returns why one breaks the clause. */
export function each(exchanges: readonly Exchange[], wrong: (exchange: Exchange) => string | undefined): Evidence {
  const faults = exchanges.flatMap((exchange) => {
    const why = wrong(exchange);
    return why === undefined ? [] : [{ exchange, why }];
  });
  return { seen: exchanges, faults };
}

/** Looks for a refusal that the client should not have run into. */
export function withoutRefusal(exchanges: readonly Exchange[], codes: readonly string[], why: string): Evidence {
  return each(exchanges, ({ reply }) => (codes.includes(String(reply['code'])) ? why : undefined));
}

/** Looks for a value that is sent again after it was accepted once. */
export function usedOnce(
  exchanges: readonly Exchange[],
  sentIn: (exchange: Exchange) => unknown,
  why: string,
  spends: (exchange: Exchange) => boolean,
): Evidence {
  const spent = new Set<string>();
  const seen = exchanges.filter((exchange) => sentIn(exchange) !== undefined);
  return each(seen, (exchange) => {
    const value = JSON.stringify(sentIn(exchange));
    const again = spent.has(value) ? why : undefined;
    if (spends(exchange)) spent.add(value);
    return again;
  });
}

/** Looks at what comes after each trigger: the first later exchange for which `wrong` returns a reason. */
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
