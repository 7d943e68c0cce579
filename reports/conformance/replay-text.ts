/** Writes what recordings show when they are judged again: the lines below one summary, and the table of several. */

import { type Json, jsonText } from '../../results/json-text.js';
import { countText } from '../../results/numbers.js';
import type { ReplayedRecording, ReplayResult, Unshown } from '../../results/replay-result.js';
import { oneLine, visible } from '../../results/visible.js';
import { columns } from '../text/console-lines.js';

const NAMED_MAX = 8;

/** Some names of a list, and how many more there are. */
function few(names: readonly string[]): string {
  const left = names.length - NAMED_MAX;
  return [...names.slice(0, NAMED_MAX), ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

const timeText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** By what a recording was made, against this version. */
function madeBy({ tool_version, same_suite, same_text }: ReplayedRecording): string {
  const other = [...(same_suite ? [] : ['suite']), ...(same_text ? [] : ['text'])];
  return `aips-lab ${tool_version}, ${other.length === 0 ? 'the same suite and text' : `another ${other.join(' and another ')}`}`;
}

const countOf = ({ requests }: Unshown): number => Object.values(requests).reduce((sum, n) => sum + n, 0);

/** The requests and checks that are not shown, in a few words; empty where all are. */
function unshownText(unshown: Unshown): string {
  const { requests, new_checks } = unshown;
  const checks = Object.keys(requests).length;
  return [
    ...(checks === 0 ? [] : [`${countText(countOf(unshown), 'request')} of ${countText(checks, 'check')}`]),
    ...(new_checks.length === 0 ? [] : [countText(new_checks.length, 'new check')]),
  ].join(', ');
}

/** The lines about one recording: by what it was made, what is judged differently now, and what it does not show. */
export function replayNotes(replayed: ReplayedRecording): readonly string[] {
  const { recorded_at, was, fails_now, passes_now, unjudged_now, unshown } = replayed;
  const { requests, new_checks, gone_checks } = unshown;
  const asked = Object.entries(requests).map(([check, n]) => `${check} (${n})`);
  const list = (words: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${words}: ${few(names)}`];
  return [
    `recorded ${timeText(recorded_at)} by ${madeBy(replayed)}: ${was.hold} clauses pass, ${was.fail} fail then`,
    ...list('fails now, and did not then', fails_now),
    ...list('passes now, and failed then', passes_now),
    ...list('judged then, and not now', unjudged_now),
    ...list(`not shown by the recording: ${countText(countOf(unshown), 'request')} of checks`, asked),
    ...list('not shown by the recording: new checks', new_checks),
    ...list('recorded, and no check any more', gone_checks),
  ].map((line) => oneLine(line));
}

/** The table of several recordings, with what each is judged differently by now. */
export function replayTable({ recordings, exit_status }: ReplayResult): string {
  const judged = recordings.flatMap((each) => ('error' in each ? [] : [each]));
  const counts = ({ hold, fail }: ReplayedRecording['now']): string => `${hold} pass, ${fail} fail`;
  const rows = judged.map((each) => [
    { 0: 'ok', 1: 'FAIL', 2: 'OPEN' }[each.now.exit_status],
    ...[each.file, each.server, timeText(each.recorded_at), madeBy(each)],
    ...[counts(each.was), counts(each.now), unshownText(each.unshown)],
  ]);
  const head = ['', 'recording', 'server', 'recorded', 'by', 'clauses then', 'clauses now', 'not shown'];
  const table =
    rows.length === 0
      ? []
      : columns(
          [head, ...rows.map((row) => row.map(visible))],
          head.map(() => 'left'),
          '',
        );
  const changes = judged.flatMap((each) => {
    const [, ...notes] = replayNotes({ ...each, unshown: { ...each.unshown, requests: {}, new_checks: [] } });
    return notes.map((note) => oneLine(`${each.file}: ${note}`));
  });
  const unread = recordings.flatMap((each) => ('error' in each ? [`ERROR ${visible(each.error)}`] : []));
  const failing = judged.filter(({ now }) => now.exit_status === 1).length;
  const open = recordings.length - judged.length + judged.filter(({ now }) => now.exit_status === 2).length;
  const words = [`${failing} fail`, ...(open === 0 ? [] : [`${open} could not be judged`])].join(', ');
  return [
    ...table,
    ...changes,
    ...unread,
    `${countText(recordings.length, 'recording')}: ${words}; exit status ${exit_status}.`,
  ].join('\n');
}

/** The same as JSON. */
export function replayJson(result: ReplayResult): string {
  return jsonText(result as unknown as Json);
}
