/** `aips conform self`: judges the reference. runs/suite decides which configurations it starts. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { shellWord } from '../../reports/text/shell-word.js';
import { Failure } from '../../runs/host/failure.js';
import { withRules } from '../../runs/host/with-rules.js';
import { judge, repeated } from '../../runs/suite/judge.js';
import { configurationNames, judgeOne, judgeSelf, selfName } from '../../runs/suite/self.js';
import type { Command } from '../flags/command.js';
import { judged } from './judged.js';
import { protocolWords, repeatOf, suiteFlags, suiteOptions } from './options.js';

const options = {
  ...suiteFlags,
  configuration: {
    type: 'string',
    choices: configurationNames,
    describe: 'The configuration that is judged; absent: each that a clause needs',
  },
  under: {
    type: 'string',
    describe:
      'YAML overlay of the server alone, with --configuration: the suite judges it by the unchanged specification',
  },
} as const;

type Flags = InferredOptionTypes<typeof options>;

/** `aips conform self`: the reference in every configuration that a clause needs. */
export const selfCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .options(options)
      .example('$0 conform self', 'the reference, in every configuration')
      .example('$0 conform self --protocol overlay.yaml', '… with your own numbers')
      .example('$0 conform self --configuration webhooks --under overlay.yaml', 'what your own numbers break'),
  handler: async (flags) => {
    const { configuration: name, under, protocol: overlay } = flags;
    if (under !== undefined && name === undefined)
      throw new Failure(`--under needs --configuration: ${configurationNames.join(', ')}.`);
    const suite = suiteOptions(flags);
    const runs = repeatOf(flags);
    await judged(flags, {
      command: withRules(
        [
          'aips conform self',
          ...(name === undefined ? [] : [`--configuration ${name}`]),
          ...(under === undefined ? [] : [`--under ${shellWord(under)}`]),
          ...protocolWords(flags),
        ].join(' '),
      ),
      judge: (signal) =>
        repeated(runs, { ...suite, signal }, (each) =>
          name === undefined ? judgeSelf(each, judge, overlay) : judgeOne(each, judge, { name, overlay, under }),
        ),
      nameOf: selfName,
    });
  },
};
