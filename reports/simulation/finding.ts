/** The finding of a simulation in one sentence, with figures of its result: who is frozen at the end, and what of. */

import { kindOfGroup } from '../../results/group-kind.js';
import { countText, numberText } from '../../results/numbers.js';
import type { SimulationResult } from '../../results/simulation-result.js';

/** A population that is mostly frozen at the end. */
interface Stopped {
  readonly name: string;
  readonly frozen: number;
  readonly registered: number;
}

/** The sentence; undefined where frozen and registered agents were not measured by population. */
export function findingOf(result: Pick<SimulationResult, 'series' | 'refusals'>): string | undefined {
  const last = (name: string, group?: string): number | undefined =>
    result.series.find((each) => each.name === name && each.group === group)?.values.at(-1);
  const [frozen, registered] = [last('frozen'), last('registered')];
  if (frozen === undefined || registered === undefined) return undefined;
  const groups = result.series.flatMap(({ name, group }) =>
    name === 'registered' && group !== undefined ? group : [],
  );
  const stopped = groups
    .filter((name) => kindOfGroup(name) === 'population')
    .map((name): Stopped => ({ name, frozen: last('frozen', name) ?? 0, registered: last('registered', name) ?? 0 }))
    .filter((each) => each.frozen > each.registered / 2);
  const whole = `At the end ${numberText(frozen)} of ${countText(registered, 'agent')} are frozen`;
  if (stopped.length === 0) return `${whole}.`;
  const parts = stopped.map((each) => {
    const { name, frozen: count, registered: of } = each;
    return `${numberText(count)} of ${numberText(of)} ${name}${causeText(result, each, last('dry', name) ?? 0)}`;
  });
  const others = [frozen, registered].map(
    (all, at) => all - stopped.reduce((sum, each) => sum + (at === 0 ? each.frozen : each.registered), 0),
  );
  return `${whole}: ${parts.join(', ')}, and ${numberText(others[0] ?? 0)} of the other ${numberText(others[1] ?? 0)}.`;
}

/** ` (100 have an empty wallet)`, or the refusal that most of its heartbeats met before they froze. */
function causeText({ refusals }: Pick<SimulationResult, 'refusals'>, { name, frozen }: Stopped, dry: number): string {
  if (dry > frozen / 2) return ` (${numberText(dry)} cannot pay a heartbeat)`;
  const [first] = refusals
    .filter((each) => each.population === name && each.operation === 'heartbeat' && each.code !== 'AGENT_FROZEN')
    .toSorted((a, b) => b.count - a.count);
  return first === undefined ? '' : ` (${first.code} refused ${countText(first.count, 'heartbeat')})`;
}
