/** The actions of the page's Specification view: a change of the specification is compared with it, measured, and played by a reference that the suite judges. */

import { join } from 'node:path';
import { z } from 'zod';
import { shellWord } from '../../../reports/text/shell-word.js';
import { checkInProcess } from '../../../runs/specification/check-process.js';
import { compareSpecs, unplayed } from '../../../runs/specification/compare.js';
import { effectPlan } from '../../../runs/specification/effects.js';
import { measureInThread } from '../../../runs/specification/effects-thread.js';
import { presentSide, readOverlaid, sideOfText } from '../../../runs/specification/spec-side.js';
import { standardScenarios } from '../../../simulator/modes/effects.js';
import { changedNumbers, changedParts } from '../../../spec/change.js';
import { changeSchema } from '../../../spec/overlay.js';
import { type Action, ActionRefused, action, nothing, orRefused } from '../action.js';
import type { CommandFolder } from '../command-folder.js';
import { onlyWords } from '../conformance/conformance-actions.js';
import type { ConformanceDesk } from '../conformance/conformance-desk.js';
import { wordsAt } from '../editor-words.js';
import { linted } from '../linted.js';
import { ChangeDesk, withEffects } from './change-desk.js';

const FILE = 'change.yaml';
const PAIRS = { replicates: 2, seed: 1 };
const text = z.string().max(100_000);

/** The actions; runs are those of the desk, and `change` keeps their results. `measure` plays a scenario, and `judge` judges a change, without keeping others waiting. */
export function specificationActions(
  desk: ConformanceDesk,
  folder: CommandFolder,
  measure = measureInThread,
  judge = checkInProcess,
  change = new ChangeDesk(),
): readonly Action[] {
  let stopping = new AbortController();
  const compared = (overlay: string) =>
    orRefused(() => compareSpecs(presentSide(), sideOfText(overlay, FILE), { ...PAIRS, replicates: 0 }));
  const schema = z.toJSONSchema(changeSchema, { io: 'input', unrepresentable: 'any' });
  return [
    action(
      'specification/problems',
      'Checks the text of an overlay; returns every mistake with its line, what lint says about the numbers that it changes, and whether it changes nothing.',
      z.strictObject({ text }),
      (body) => {
        const parsed = readOverlaid(body.text, FILE);
        if (!parsed.ok) return { problems: parsed.problems, lint: [] };
        const from = presentSide().protocol;
        const changes = [...changedNumbers(from, parsed.value), ...changedParts(from, parsed.value)];
        return { problems: [], lint: linted(body.text, [], parsed.value), unchanged: changes.length === 0 };
      },
    ),
    action(
      'specification/words',
      'Returns the keys and values that may be written at an offset of an overlay, with what each means.',
      z.strictObject({ text, at: z.int().min(0) }),
      (body) => wordsAt(body.text, body.at, schema),
    ),
    action(
      'specification/difference',
      'Compares the specification with an overlay of it: numbers, what they touch, findings of lint, and the standard scenarios that it can reach.',
      z.strictObject({ text }),
      (body) => {
        const diff = compared(body.text);
        const plan = { ...PAIRS, full: false };
        const { names: scenarios } = effectPlan(presentSide(), sideOfText(body.text, FILE), plan);
        const unmeasured = [...diff.unmeasured, ...unplayed(scenarios)];
        // If no scenario is affected, there is nothing more to report about effects.
        const replicates = scenarios.length === 0 ? PAIRS.replicates : 0;
        const file = folder.write('change', '.yaml', body.text);
        const command = `aips spec diff ${shellWord(file)} --replicates ${PAIRS.replicates} --seed ${PAIRS.seed}`;
        const whole = { ...diff, replicates, unmeasured };
        change.comparison = { text: body.text, diff: whole, waiting: scenarios };
        return { diff: whole, scenarios, command };
      },
    ),
    action(
      'specification/effects',
      'Plays pairs of runs of a standard scenario, with and without the change; returns the effects.',
      z.strictObject({ text, scenario: z.enum(standardScenarios) }),
      async (body) => {
        const side = orRefused(() => sideOfText(body.text, FILE));
        const measured = await measure([body.scenario, presentSide(), side, PAIRS], stopping.signal);
        if (measured === undefined) return { stopped: true };
        const kept = change.comparison;
        if (kept?.text === body.text) change.comparison = withEffects(kept, body.scenario, { ...PAIRS, ...measured });
        return { ...PAIRS, ...measured };
      },
    ),
    action(
      'specification/check',
      'Judges a change as `aips spec check` does in CI, with the changes that are accepted; returns the reports of that command.',
      z.strictObject({ text, accepted: text }),
      async (body) => {
        const judged = await change.judge(body, async (n, onProgress) => {
          const file = folder.write('change', '.yaml', body.text);
          const accepted = body.accepted === '' ? [] : ['--accepted', folder.write('accepted', '.yaml', body.accepted)];
          const args = [file, ...accepted];
          const out = `checked-${n}`;
          const reports = await judge(args, { cwd: folder.path, out }, stopping.signal, onProgress);
          if (reports === undefined) return undefined;
          return { ...reports, command: `aips spec check ${args.map(shellWord).join(' ')} --out ${out}` };
        });
        return judged ?? { stopped: true };
      },
    ),
    action(
      'specification/kept',
      'Returns the latest judgement, also while it is under way, with its reports once they are there, and the latest comparison.',
      nothing,
      () => ({
        word: change.word ?? null,
        judged: change.judged ?? null,
        comparison: change.comparison ?? null,
      }),
    ),
    action(
      'specification/stop',
      'Ends the measurements of effects and the judgements that are under way.',
      nothing,
      () => {
        stopping.abort();
        stopping = new AbortController();
        // The other scenarios are not played any more.
        if (change.comparison !== undefined) change.comparison = { ...change.comparison, waiting: [] };
        return {};
      },
    ),
    action(
      'specification/run',
      'Runs the checks that a change concerns against a reference under the change: what fails is what it breaks.',
      z.strictObject({ text }),
      (body) => {
        const { checks } = compared(body.text);
        if (checks.length === 0) throw new ActionRefused(409, 'NO_CHECK', 'no check judges what this change touches');
        const file = join(folder.path, folder.write('change', '.yaml', body.text));
        const watched = desk.start({ only: checks, total: checks.length, overlay: { text: body.text, file } });
        return { watched, command: `${desk.change?.command} --seed ${desk.seed}${onlyWords(checks)}` };
      },
    ),
  ];
}
