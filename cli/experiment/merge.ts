/** `aips experiment merge FOLDER…`: puts the shards of a sweep together. */

import type { Argv } from 'yargs';
import { mergeShards } from '../../runs/experiment/sweep-merge.js';
import { deliver } from '../../runs/experiment/sweep-outputs.js';
import type { Command } from '../flags/command.js';
import { json, out } from '../flags/common-options.js';

interface Flags {
  readonly folders: readonly string[];
  readonly out: string;
  readonly json: boolean;
}

/** `aips experiment merge FOLDER…`: the same bytes as one uninterrupted sweep. */
export const mergeCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('folders', { type: 'string', array: true, demandOption: true, describe: 'The folders of all shards' })
      .options({ out: { ...out.out, demandOption: true }, ...json })
      .example('$0 experiment merge out/1 out/2 out/3 --out out/all', '') as unknown as Argv<Flags>,
  handler: ({ folders, out, json }) => {
    process.exitCode = deliver(mergeShards(folders, out), out, json);
  },
};
