/** `aips spec silences`: the requests that the text leaves open, and what each silence costs later. The search is in explore/. */

import type { Argv, CommandModule } from 'yargs';
import { silencesConsole, silencesMarkdown } from '../../reports/specification/silences-text.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { SILENCES_FILES as FILES, type SilencesResult } from '../../results/silences-result.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { packageVersion } from '../../runs/host/package.js';
import { silencesOf } from '../../runs/specification/silences.js';
import { json, out } from '../flags/common-options.js';
import { changeArgument, sideOf } from './side.js';

interface Flags {
  readonly overlay: string;
  readonly json: boolean;
  readonly out: string | undefined;
}

/** `aips spec silences [overlay]`: exit 0. */
export const silencesCommand: CommandModule<object, Flags> = {
  command: 'silences [overlay]',
  describe: 'Where the silence of the text costs: requests that it leaves open, and what tells two servers apart later',
  builder: (args: Argv) =>
    args
      .positional('overlay', changeArgument)
      .options({ ...out, ...json })
      .example('$0 spec silences', 'the specification as it stands'),
  handler: async ({ overlay, json: asJson, out: folder }) => {
    if (folder !== undefined) ensureFolder(folder, Object.values(FILES));
    const result = await silencesOf(sideOf(overlay), packageVersion());
    if (folder !== undefined) writeFiles(folder, filesOf(result));
    console.log(asJson ? jsonText(result as unknown as Json).trimEnd() : silencesConsole(result));
  },
};

/** The files of a result: all silences, and a script for each that has consequences. */
function filesOf(result: SilencesResult): Readonly<Record<string, string>> {
  const grave = result.open.filter(({ partings }) => partings.length > 0);
  return {
    [FILES.json]: jsonText(result as unknown as Json),
    [FILES.summary]: silencesMarkdown(result),
    ...Object.fromEntries(
      grave.map(({ move, partings, script }, nth) => {
        const message = [move, ...(partings[0]?.moves ?? [])].join('; ');
        return [
          `scripts/silence-${nth + 1}.json`,
          `${JSON.stringify({ version: 1, message, sequence: script }, null, 2)}\n`,
        ];
      }),
    ),
  };
}
