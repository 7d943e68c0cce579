/** `aips registry add FILE`: makes an entry of a recording. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { addEntry } from '../../runs/registry/add-entry.js';
import type { Command } from '../flags/command.js';

const options = {
  implementation: { type: 'string', demandOption: true, describe: 'Name of the implementation, in lower-case letters' },
  version: { type: 'string', demandOption: true, describe: 'Its version' },
  url: { type: 'string', describe: 'Page of the project' },
  licence: { type: 'string', demandOption: true, describe: 'Its licence, as an SPDX expression such as MIT' },
  registry: { type: 'string', default: 'registry', describe: 'Folder of the registry' },
} as const;

/** `aips registry add FILE`. */
export const addCommand: Command<InferredOptionTypes<typeof options> & { readonly file: string }> = {
  builder: (args: Argv) =>
    args
      .version(false)
      .positional('file', { type: 'string', demandOption: true, describe: 'Recording of aips conform --record' })
      .options(options)
      .example(
        '$0 registry add run.aips.gz --implementation my-server --version 1.2.0 --url https://example.org --licence MIT',
        'writes registry/my-server/1.2.0/',
      ),
  handler: ({ file, registry, implementation, version, url, licence }) => {
    console.log(`wrote ${addEntry(registry, file, { implementation, version, url, licence })}`);
  },
};
