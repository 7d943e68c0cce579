/** The actions that open what a run has sent: the suite in short, a check that is under way, and any exchange with what it says of clauses. */

import { z } from 'zod';
import { allChecks } from '../../../conformance/checks/index.js';
import type { ExchangeJudgement } from '../../../conformance/run/live-run.js';
import { secretsOf } from '../../../conformance/trial/session.js';
import { curlScript } from '../../../reports/conformance/curl.js';
import { numbersOf, wordsOf } from '../../../reports/conformance/failed-exchanges.js';
import { shellWord } from '../../../reports/text/shell-word.js';
import type { Exchange } from '../../../results/conformance-result.js';
import { countText } from '../../../results/numbers.js';
import { ownCommand } from '../../../runs/host/own-program.js';
import { clauses, sections } from '../../../spec/clauses/index.js';
import { type Action, ActionRefused, action, nothing } from '../action.js';
import type { CommandFolder } from '../command-folder.js';
import type { ConformanceDesk } from './conformance-desk.js';

/** The clauses and checks of the suite, in the order of the states and verdicts of a watched run. */
export type Suite = ReturnType<typeof suite>;

const titles = new Map(sections.map(({ section, title }) => [section, title]));
const places = new Map(clauses.map(({ id }, place) => [id, place]));

function suite() {
  return {
    clauses: clauses.map(({ id, section, level, text }) => ({
      ...{ id, section, level, text },
      section_title: titles.get(section) ?? '',
    })),
    // The clauses of a check by their places.
    checks: allChecks.map(({ id, title, clauses: named }) => ({
      ...{ id, title },
      clauses: named.flatMap((clause) => places.get(clause) ?? []),
    })),
  };
}

/** An exchange of a check, with what it says of clauses and the script that sends it again. */
export interface OpenedExchange {
  /** The title of the check; null for the run itself. */
  readonly title: string | null;
  readonly exchange: Exchange;
  readonly said: ExchangeJudgement;
  /** The numbers of the exchanges before and after it that are kept; null where there is none. */
  readonly near: readonly [before: number | null, after: number | null];
  /** How many exchanges of the check before this one are no longer kept. */
  readonly gone: number;
  readonly script: string;
}

/** The actions over a desk. */
export function exchangeActions(desk: ConformanceDesk, folder: CommandFolder): readonly Action[] {
  return [
    action(
      'conformance/suite',
      'Returns all clauses and checks in short, in the order of the states and verdicts of a run that is watched.',
      nothing,
      suite,
    ),
    action(
      'conformance/exchange',
      'Returns one exchange of a check by its number, during a run and after it, with what it says of clauses and its curl.',
      z.strictObject({ id: z.string().max(200), n: z.int().min(1), changed: z.boolean().default(false) }),
      ({ id, n, changed }) => opened(desk, folder, { id, n, changed }),
    ),
  ];
}

interface Wanted {
  readonly id: string;
  readonly n: number;
  readonly changed: boolean;
}

function opened(desk: ConformanceDesk, folder: CommandFolder, { id, n, changed }: Wanted): OpenedExchange {
  const live = desk.liveOf(id, changed);
  const transcript = live?.transcriptOf(id) ?? [];
  const numbers = numbersOf(transcript);
  const at = numbers.indexOf(n);
  const exchange = transcript[at];
  const sent = numbers.filter((_, place) => transcript[place]?.request.method !== 'NOTE');
  if (live === undefined || exchange === undefined || !sent.includes(n))
    throw new ActionRefused(
      404,
      'NO_EXCHANGE',
      sent.length === 0
        ? `The latest run of ${id} keeps no exchange`
        : `The latest run of ${id} does not keep exchange ${n}: it keeps ${countText(sent.length, 'exchange')}, the last one ${sent.at(-1)}`,
    );
  const before = transcript.slice(0, at + 1);
  const said = live.judgementOf(id, n);
  const place = sent.indexOf(n);
  return {
    title: allChecks.find((check) => check.id === id)?.title ?? null,
    ...{ exchange, said },
    near: [sent[place - 1] ?? null, sent[place + 1] ?? null],
    gone: before.reduce((sum, { left_out = 0 }) => sum + left_out, 0),
    script: curlScript(before, new Map([[at, said.against.map(wordsOf)]]), {
      first: [settings(desk, folder, changed)],
      controlUrl: (desk.ownOf(changed) ?? desk.target)?.control?.url,
    }),
  };
}

/** The line that reads the settings of a script: this program, and the secrets of a reference that the lab has started; those of a target are its owner's. */
function settings(desk: ConformanceDesk, folder: CommandFolder, changed: boolean): string {
  const own = desk.ownOf(changed);
  const program = ownCommand();
  const values: Readonly<Record<string, string | undefined>> = {
    // The script divides it at spaces.
    AIPS: program.some((word) => /\s/.test(word)) ? undefined : program.join(' '),
    ...(own === undefined ? {} : secretsOf(own)),
  };
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${shellWord(value)}\n`],
  );
  return `. ${shellWord(`${folder.path}/${folder.write('run', '.env', lines.join(''))}`)}`;
}
