/** Writes the answers about a small world for the console, as Markdown and as JSON. */

import type {
  ExploredDifference,
  ExploredGoal,
  ExploredPrices,
  ExploredSteps,
  ExploredWorld,
  ExploreResult,
} from '../../results/explore-result.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { countText } from '../../results/numbers.js';
import { visible } from '../../results/visible.js';

/** The size of the world in one line. */
function worldLine({ world }: ExploreResult): string {
  const { agents, states, transitions, depth, complete } = world;
  const extent = complete ? 'all that are reachable' : `the first ones, up to ${depth} moves from the start`;
  return `${agents} agents: ${countText(states, 'state')}, ${extent}; ${countText(transitions, 'call')} of rules`;
}

function verdictLine({ text, verdict, states, trapped, open }: ExploredGoal): string {
  if (verdict === 'yes') return `yes    ${text}, from each of ${countText(states, 'state')}`;
  if (verdict === 'open')
    return `open   ${text}: no trap is known, and ${countText(open, 'state')} lead beyond the search alone`;
  const rest = open === 0 ? '' : `, and of ${open} it is open`;
  return `trap   ${text}, but not from ${trapped} of ${countText(states, 'state')}${rest}`;
}

function goalLines(goal: ExploredGoal): string[] {
  return [verdictLine(goal), ...goal.traps.map(({ script }) => `         after: ${script.moves.join('; ')}`)];
}

function stepLines(
  what: string,
  { reached, total, dead }: ExploredSteps,
  { complete, quick }: ExploredWorld,
): string[] {
  const word = complete && !quick ? 'dead' : 'open';
  return [`${reached} of ${total} ${what} are reached`, ...dead.map((id) => `${word}   ${id}`)];
}

function differenceLines(differences: readonly ExploredDifference[]): string[] {
  const lines = differences.map(({ how, text, script }) => {
    const after = script === undefined ? '' : `: ${script.moves.join('; ')}`;
    return `  ${how.padEnd(8)} ${text}${after}`;
  });
  return [`${countText(differences.length, 'difference')} from the specification as it is`, ...lines];
}

const priceWords = (front: ExploredPrices['best']): string =>
  front.map(({ lamports, beats, anchors }) => `${lamports} lamports, ${beats} beats, ${anchors} anchors`).join(' or ');

/** The answers, for a terminal. */
export function exploreConsole(result: ExploreResult): string {
  const { invariants, goals, without, rows, transitions, prices, races, lint } = result;
  const broken = invariants.flatMap(({ text, broken: script }) =>
    script === undefined ? [] : [`broken ${text}`, `         after: ${script.moves.join('; ')}`],
  );
  const held = invariants.filter(({ broken: script }) => script === undefined).length;
  return [
    `the small world of ${result.change}, ${worldLine(result)}`,
    `${held} of ${countText(invariants.length, 'invariant')} hold`,
    ...broken,
    ...goals.flatMap(goalLines),
    ...without.flatMap(({ part, goals: left }) => [
      `without ${part}:`,
      ...left.map(verdictLine).map((line) => `  ${line}`),
    ]),
    ...(result.differences === undefined ? [] : differenceLines(result.differences)),
    ...stepLines('rows of errors', rows, result.world),
    ...stepLines('moves between states', transitions, result.world),
    'the price of the next heartbeat, from the dearest state of a condition:',
    ...prices.map(({ agent, condition, worst }) => `  ${agent}, ${condition}: ${priceWords(worst)}`),
    ...lint.map(({ id, state, by }) => `lint   ${id}: ${state}: ${by}`),
    ...races.map(({ first, second, stake }) => `race   the order decides ${stake}: ${first} | ${second}`),
  ]
    .map((line) => visible(line))
    .join('\n');
}

/** The answers as Markdown, for a summary in CI. */
export function exploreMarkdown(result: ExploreResult): string {
  const { invariants, goals, without, rows, transitions, prices, races, differences } = result;
  const cell = (text: string): string => visible(text).replaceAll('|', '\\|');
  const table = (list: readonly ExploredGoal[]): string[] => [
    '| goal | verdict | states | traps | after |',
    '|---|---|---|---|---|',
    ...list.map(({ text, verdict, states, trapped, traps }) =>
      cell(`${text} ~ ${verdict} ~ ${states} ~ ${trapped} ~ ${traps.map(({ move }) => move).join(', ')}`)
        .split(' ~ ')
        .join(' | ')
        .replace(/^/, '| ')
        .replace(/$/, ' |'),
    ),
    '',
  ];
  const steps = (what: string, { reached, total, dead, outside }: ExploredSteps): string[] => [
    `${reached} of ${total} ${what} are reached.${dead.length === 0 ? '' : result.world.complete && !result.world.quick ? ' No state reaches:' : ' The search did not come to:'}`,
    '',
    ...dead.map((id) => `- ${cell(id)}`),
    ...(dead.length === 0 ? [] : ['']),
    ...Object.entries(outside).map(([reason, ids]) => `- ${countText(ids.length, 'other')} outside: ${reason}`),
    '',
  ];
  return [
    `# The small world of ${cell(result.change)}`,
    '',
    `${worldLine(result)}.`,
    '',
    ...(differences === undefined
      ? []
      : ['## Differences', '', ...differences.map(({ how, text }) => `- ${how}: ${cell(text)}`), '']),
    '| invariant | |',
    '|---|---|',
    ...invariants.map(
      ({ text, broken }) =>
        `| ${cell(text)} | ${broken === undefined ? 'holds' : `broken by ${cell(broken.moves.join('; '))}`} |`,
    ),
    '',
    ...table(goals),
    ...without.flatMap(({ part, goals: left }) => [`Without ${part}:`, '', ...table(left)]),
    ...steps('rows of errors', rows),
    ...steps('moves between states', transitions),
    '## Prices of the next heartbeat',
    '',
    '| agent | condition | states | at best | from the dearest state |',
    '|---|---|---|---|---|',
    ...prices.map(
      ({ agent, condition, states, best, worst }) =>
        `| ${agent} | ${condition} | ${states} | ${priceWords(best)} | ${priceWords(worst)} |`,
    ),
    '',
    '## Races',
    '',
    ...races.map(
      ({ first, second, stake, states }) => `- ${stake}: ${first} | ${second}, in ${countText(states, 'state')}`,
    ),
    '',
  ].join('\n');
}

/** The result as JSON. */
export function exploreJson(result: ExploreResult): string {
  return jsonText(result as unknown as Json);
}
