/** `aips registry check [DIR]`: the entries of a registry have their form, their digests fit, and their recordings are plausible. */

import type { Argv } from 'yargs';
import { countText } from '../../results/numbers.js';
import { EXIT } from '../../runs/host/failure.js';
import { checkRegistry } from '../../runs/registry/check-registry.js';
import type { Command } from '../flags/command.js';

/** The folder of a registry, which `registry build` takes too. */
export const registryFolder = {
  type: 'string',
  default: 'registry',
  describe: 'Folder of a registry: IMPLEMENTATION/VERSION/entry.yaml, each with a recording',
} as const;

/** `aips registry check [DIR]`: exit status 1 if an entry has a problem. */
export const checkCommand: Command<{ readonly folder: string }> = {
  builder: (args: Argv) =>
    args
      .positional('folder', registryFolder)
      .example('$0 registry check', 'as a workflow checks a change of the registry') as Argv<{
      readonly folder: string;
    }>,
  handler: ({ folder }) => {
    const checked = checkRegistry(folder);
    for (const { name, note, problems } of checked) {
      if (problems.length === 0) console.log(`ok    ${name}  ${note}`);
      for (const problem of problems) console.error(problem);
    }
    const bad = checked.filter(({ problems }) => problems.length > 0).length;
    console.log(`${countText(checked.length, 'entry', 'entries')}, ${bad} with problems`);
    process.exitCode = bad > 0 ? EXIT.unclean : EXIT.clean;
  },
};
