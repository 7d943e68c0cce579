/** `aips registry build [DIR]`: judges all entries of a registry by this version, and writes its pages. */

import type { Argv } from 'yargs';
import { countText } from '../../results/numbers.js';
import { EXIT } from '../../runs/host/failure.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { progressBar } from '../../runs/host/progress.js';
import { registrySite } from '../../runs/registry/judge-registry.js';
import { entriesIn } from '../../runs/registry/read-registry.js';
import type { Command } from '../flags/command.js';
import { registryFolder } from './check.js';

interface Flags {
  readonly folder: string;
  readonly out: string;
}

/** `aips registry build [DIR]`: exit status 1 if an entry could not be judged. What an implementation fails is in the pages, and fails nothing. */
export const buildCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('folder', registryFolder)
      .option('out', { type: 'string', default: 'out/registry', describe: 'Folder of the pages' })
      .example(
        '$0 registry build',
        'index.html, clauses.html, registry.json; a page and a badge of each entry',
      ) as Argv<Flags>,
  handler: async ({ folder, out }) => {
    ensureFolder(out, ['index.html', 'clauses.html', 'registry.json']);
    const bar = progressBar('entries', entriesIn(folder).length);
    const interrupt = interruptOf();
    try {
      const { registry, files } = await registrySite(folder, {
        onEntry: (name) => bar.step(name),
        signal: interrupt.signal,
      });
      bar.stop();
      writeFiles(out, files);
      for (const { implementation, version, expired, judged } of registry.entries) {
        const { hold, judged: seen, total } = judged.must;
        const state = expired ? ', expired' : '';
        console.log(`${implementation} ${version}: ${seen} of ${total} clauses judged, ${hold} pass${state}`);
      }
      for (const problem of registry.refused.flatMap(({ problems }) => problems)) console.error(problem);
      const { entries, refused } = registry;
      console.log(
        `wrote ${out}/index.html: ${countText(entries.length, 'entry', 'entries')} judged, ${refused.length} not`,
      );
      process.exitCode = refused.length > 0 ? EXIT.unclean : EXIT.clean;
    } finally {
      bar.stop();
      interrupt.forget();
    }
  },
};
