/** `aips conform self`: judges the reference. Which configurations it starts is in runs/suite. */

import type { Argv } from 'yargs';
import { judge, repeated } from '../../runs/suite/judge.js';
import { judgeSelf, selfName } from '../../runs/suite/self.js';
import type { Command } from '../flags/command.js';
import { judged } from './judged.js';
import { protocolWords, repeatOf, type SuiteFlags, suiteFlags, suiteOptions } from './options.js';

/** `aips conform self`: the reference in every configuration that a clause needs. */
export const selfCommand: Command<SuiteFlags> = {
  builder: (args: Argv) =>
    args
      .options(suiteFlags)
      .example('$0 conform self', 'the reference, in every configuration')
      .example('$0 conform self --protocol overlay.yaml', '… with your own numbers'),
  handler: async (flags) => {
    const options = suiteOptions(flags);
    const runs = repeatOf(flags);
    await judged(flags, {
      command: ['aips conform self', ...protocolWords(flags)].join(' '),
      judge: (signal) => repeated(runs, { ...options, signal }, (suite) => judgeSelf(suite, judge, flags.protocol)),
      nameOf: selfName,
    });
  },
};
