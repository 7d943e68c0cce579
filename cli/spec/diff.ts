/** `aips spec diff`: compares two specifications, and writes what differs and whom it concerns. */

import type { Argv, CommandModule } from 'yargs';
import { specDiffMarkdown } from '../../reports/specification/spec-diff-markdown.js';
import { specDiffConsole, specDiffJson } from '../../reports/specification/spec-diff-text.js';
import { specDiffPage } from '../../reports/views/spec-diff-page.js';
import { countText } from '../../results/numbers.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { compareSpecs, effectOptions } from '../../runs/specification/compare.js';
import { effectPlan } from '../../runs/specification/effects.js';
import { PRESENT } from '../../runs/specification/spec-side.js';
import { json, out, pairs, seed } from '../flags/common-options.js';
import { sideOf } from './side.js';

interface Flags {
  readonly from: string;
  readonly to: string | undefined;
  readonly json: boolean;
  readonly out: string | undefined;
  readonly replicates: number;
  readonly seed: number;
  readonly full: boolean;
}

/** `aips spec diff <from> [to]`. */
export const diffCommand: CommandModule<object, Flags> = {
  command: 'diff <from> [to]',
  describe: 'Compare two specifications: numbers, what they touch, findings, and the effect on people',
  builder: (args: Argv) =>
    args
      .positional('from', {
        type: 'string',
        demandOption: true,
        describe: `${PRESENT} for the specification as it stands, a released version, or a YAML overlay; alone, it is compared with the specification`,
      })
      .positional('to', { type: 'string', describe: 'The same for the other side' })
      .options({ ...pairs, ...seed, ...out, ...json })
      .option('full', {
        type: 'boolean',
        default: false,
        describe: 'Play the standard scenarios too in which the change makes no difference',
      })
      .example('$0 spec diff change.yaml', 'a change beside the specification as it stands')
      .example('$0 spec diff one.yaml other.yaml --out out', 'two changes, with a page'),
  handler: ({ from, to, json, out, ...effects }) => {
    const options = effectOptions(effects);
    const [one, other] = to === undefined ? [PRESENT, from] : [from, to];
    if (out !== undefined) ensureFolder(out);
    const sides = [sideOf(one), sideOf(other)] as const;
    const { names, seconds } = effectPlan(...sides, { full: false, ...options });
    const work = `${countText(options.replicates, 'pair')} of runs of ${countText(names.length, 'scenario')}`;
    if (names.length > 0) process.stderr.write(`${work}: about ${Math.ceil(1 + seconds)} s.\n`);
    const diff = compareSpecs(...sides, options);
    if (out !== undefined) {
      writeFiles(out, {
        'spec-diff.json': specDiffJson(diff),
        'spec-diff.md': specDiffMarkdown(diff),
        'spec-diff.html': specDiffPage(diff),
      });
    }
    console.log(json ? specDiffJson(diff).trimEnd() : specDiffConsole(diff));
  },
};
