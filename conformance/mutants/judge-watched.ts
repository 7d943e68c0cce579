/** Watches the traffic of a run of the suite against one mutant, from an unknown start, and reports whether the traffic alone shows the mistake. */
import { openState } from '../../model/facts/open-state.js';
import { Oracle } from '../../model/oracle.js';
import { entailedBy } from '../../spec/clauses/entailed.js';
import { CONTROL_PATH } from '../../spec/endpoint.js';
import { conform } from '../run/runner.js';
import { settingsOf } from '../target/modelled.js';
import type { Transport } from '../wire/transport.js';
import { checksFor, deploymentOf, type Start } from './judge-mutant.js';
import type { Mutant } from './mutant.js';

/** The outcome for one mutant: its traffic breaks its own clause, another clause of the text, or none. */
export interface WatchedMutant {
  readonly id: string;
  readonly clause: string;
  readonly outcome: 'found' | 'found-elsewhere' | 'missed';
  /** The other clauses that are broken. */
  readonly others: readonly string[];
  /** The exchanges that were seen. */
  readonly exchanges: number;
}

/** Runs the checks about the clause of a mutant, and watches their traffic. An observer does not see the control API. */
export async function judgeWatched(mutant: Mutant<object>, start: Start): Promise<WatchedMutant> {
  const { id, clause } = mutant;
  const { target, send, close } = await start(deploymentOf(mutant));
  const broken = new Set<string>();
  let exchanges = 0;
  const oracle = new Oracle<null>(openState(settingsOf(target)), ({ judgement }) => {
    exchanges += 1;
    for (const { ok, level, clauses } of judgement.evidence)
      if (!ok && level === 'must') for (const each of clauses) broken.add(each);
  });
  const control = `${target.control?.url}${CONTROL_PATH}`;
  const transport: Transport = async (request) => {
    if (request.url.startsWith(control)) return send(request);
    const end = oracle.begin(request, null, Date.now());
    const reply = await send(request);
    end(reply, true, Date.now());
    return reply;
  };
  try {
    const options = { seed: 1, toolVersion: 'mutants', nowWallMs: Date.now, checks: checksFor(mutant), unprobed: true };
    await conform(target, { ...options, transport });
  } finally {
    await close();
  }
  const isOwn = broken.has(clause);
  const entailed = new Set(entailedBy(clause));
  const others = [...broken].filter((each) => each !== clause && !entailed.has(each));
  const isEntailed = [...broken].some((each) => entailed.has(each));
  const outcome = isOwn || isEntailed ? 'found' : others.length > 0 ? 'found-elsewhere' : 'missed';
  return { id, clause, outcome, others, exchanges };
}
