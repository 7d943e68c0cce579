/** Writes the answers about a small world for the console, as Markdown and as JSON. */

import type { ExploredGoal, ExploredSteps, ExploredWorld, ExploreResult } from '../../results/explore-result.js';
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

function stepLines(what: string, { reached, total, dead }: ExploredSteps, { complete }: ExploredWorld): string[] {
  const word = complete ? 'dead' : 'open';
  return [`${reached} of ${total} ${what} are reached`, ...dead.map((id) => `${word}   ${id}`)];
}

/** The answers, for a terminal. */
export function exploreConsole(result: ExploreResult): string {
  const { invariants, goals, without, rows, transitions } = result;
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
    ...stepLines('rows of errors', rows, result.world),
    ...stepLines('moves between states', transitions, result.world),
  ]
    .map((line) => visible(line))
    .join('\n');
}

/** The answers as Markdown, for a summary in CI. */
export function exploreMarkdown(result: ExploreResult): string {
  const { invariants, goals, without, rows, transitions } = result;
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
    `${reached} of ${total} ${what} are reached.${dead.length === 0 ? '' : result.world.complete ? ' No state reaches:' : ' The search did not come to:'}`,
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
  ].join('\n');
}

/** The result as JSON. */
export function exploreJson(result: ExploreResult): string {
  return jsonText(result as unknown as Json);
}
