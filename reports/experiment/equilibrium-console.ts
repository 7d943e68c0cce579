/** Prints a search for equilibria on a terminal: coupling, equilibria with their bounds, the parts that were not explored. The result is equilibrium.json. */

import type { EquilibriumResult, JudgedEquilibrium } from '../../results/equilibrium-result.js';
import { countText, numberText, percentText, solText } from '../../results/numbers.js';
import { visible } from '../../results/visible.js';

const PARTS_SHOWN = 10;

type PerOption = readonly (readonly number[])[];

/** A result for a terminal. */
export function equilibriumText(result: EquilibriumResult): string {
  const { name, question, roles, equilibria, played, seed, starts } = result;
  const lines = [
    `${name}: ${question}`,
    ...roles.map((role) => `${role.name}: ${countText(role.agents, 'agent')} with ${role.options.join(', ')}`),
    `${countText(played.cells, 'cell')}, ${countText(played.runs, 'run')} (seed ${seed}); payoffs are SOL for an agent and day`,
    '',
    couplingText(result),
    ...gameLines(result),
    '',
    ...equilibria.flatMap((each) => [...equilibriumLines(result, each), '']),
    answerText(result),
    ...unexploredLines(result),
    ...(starts.unsettled > 0
      ? [
          `From ${percentText(starts.unsettled)} of ${countText(starts.begun, 'start')} the replicator dynamics came to no rest.`,
        ]
      : []),
    'Equilibria that no part, start or support led to are not in this list.',
  ];
  return `${visible(lines.join('\n'))}\n`;
}

/** The answer in a sentence. */
export function answerText({ answer, equilibria, resolution, coupling }: EquilibriumResult): string {
  const most = solText(resolution);
  const count = equilibria.filter(({ status }) => status === answer).length;
  if (answer === 'none') return 'No equilibrium was found.';
  if (answer === 'unconfirmed')
    return `Nothing is confirmed: ${countText(count, 'candidate')}, whose regret may be above ${most}.`;
  const why = coupling.verdict === 'uncoupled' ? ', a best response to any play of others' : '';
  return `${countText(count, 'equilibrium is', 'equilibria are')} confirmed${why}: no agent gains more than ${most} a day by another option.`;
}

/** The coupling in a sentence. */
export function couplingText(result: EquilibriumResult): string {
  const { coupling, resolution, roles } = result;
  const { verdict, runs, differences } = coupling;
  const most = solText(resolution);
  const far = differences.reduce(
    (a, b) => (Math.abs(b.mean) > Math.abs(a.mean) ? b : a),
    differences[0] as (typeof differences)[number],
  );
  const where = `${roles[far.role]?.options[far.option]} of ${roles[far.role]?.name}, where others do ${sharesText(result, far.to)} rather than ${sharesText(result, far.from)}, ${gainText(far)}`;
  if (verdict === 'uncoupled')
    return `Uncoupled, by ${countText(runs, 'run')}: no play of others changes a payoff by more than ${most}, so a best response is an equilibrium.\n  The largest change: ${where}`;
  if (verdict === 'coupled')
    return `Coupled, by ${countText(runs, 'run')}: payoffs depend on the play of others.\n  The largest change: ${where}`;
  return `It is not known after ${countText(runs, 'run')} if the play of others changes payoffs by more than ${most}, so a game was measured.\n  The largest change: ${where}`;
}

function gameLines({ game, roles }: EquilibriumResult): string[] {
  if (game === null) return [];
  const players = game.roles.map((role) => `${role.players} of ${role.name}`).join(', ');
  const rounded = game.exact ? '' : ', whose agents do not divide as players do and were rounded';
  const whole = game.whole ? '' : `; its largest part that was measured: ${partText({ roles }, game.part)}`;
  const supports = game.enumerated ? '' : '; it has too many supports to try each';
  return [`Reduced game: ${players}${rounded}, ${countText(game.cells.length, 'cell')}${whole}${supports}.`];
}

function equilibriumLines(result: EquilibriumResult, equilibrium: JudgedEquilibrium): string[] {
  const { status, kind, mixture, regret, runs, basin, deviations, ends, dimension, ties } = equilibrium;
  const { roles } = result;
  const reached = basin === null ? '' : `; ${percentText(basin)} of starts lead here`;
  const nameOf = (role: number, option: number): string => `${roles[role]?.options[option]} of ${roles[role]?.name}`;
  return [
    `${status}, ${kind}: ${sharesText(result, mixture)}`,
    `  regret ${gainText(regret)} over ${countText(runs, 'run')} (seed ${result.held_out_seed})${reached}`,
    ...(dimension > 0
      ? [
          `  one of a continuum in ${countText(dimension, 'direction')}, which ends at ${ends.map((end) => sharesText(result, end)).join('; ')}; this point alone was judged`,
        ]
      : []),
    ...ties.map(([role, option]) => `  a tie in the reduced game: ${nameOf(role, option)}`),
    ...deviations.map((each) => {
      const [low, high] = each.interval;
      const verdict = high < 0 ? 'loses' : low > 0 ? 'gains' : 'no difference shown';
      return `  ${nameOf(each.role, each.option)}: ${verdict}, ${gainText(each)}`;
    }),
  ];
}

/** A gain with its interval. */
export function gainText({
  mean,
  interval: [low, high],
}: {
  readonly mean: number;
  readonly interval: readonly [number, number];
}): string {
  return `${solText(mean)} (95 %: ${solText(low)} to ${solText(high)})`;
}

/** Shares, or agents, of each role as text: options that nobody has are left out. */
export function sharesText({ roles }: Pick<EquilibriumResult, 'roles'>, mixture: PerOption): string {
  return mixture
    .flatMap((own, role) => {
      const sum = own.reduce((all, each) => all + each, 0);
      const shown = own.flatMap((each, option) =>
        each > 0 ? [`${roles[role]?.options[option]} ${percentText(Number((each / sum).toFixed(4)))}`] : [],
      );
      if (shown.length === 0) return [];
      return [`${roles.length > 1 ? `${roles[role]?.name} ` : ''}${shown.join(' + ')}`];
    })
    .join(', ');
}

/** The first parts that the budget did not allow, and how many more there are. */
function unexploredLines(result: EquilibriumResult): string[] {
  const { length } = result.unexplored;
  const first = result.unexplored
    .slice(0, PARTS_SHOWN)
    .map((part) => `Not explored, for lack of points: ${partText(result, part)}`);
  return length > PARTS_SHOWN
    ? [...first, `Not explored either: ${countText(length - PARTS_SHOWN, 'more part')}`]
    : first;
}

function partText({ roles }: Pick<EquilibriumResult, 'roles'>, part: readonly (readonly number[])[]): string {
  return part
    .map((options, role) => `${roles[role]?.name} with ${options.map((o) => roles[role]?.options[o]).join(', ')}`)
    .join('; ');
}

/** The number of equilibria of each status, such as `2 confirmed, 1 refuted`. */
export function statusCounts({ equilibria }: EquilibriumResult): string {
  return (['confirmed', 'unconfirmed', 'refuted'] as const)
    .map((status) => [status, equilibria.filter((each) => each.status === status).length] as const)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${numberText(count)} ${status}`)
    .join(', ');
}
