/** `aips simulate bisect A B`: prints the first event at which two runs differ. The search is in simulator/modes. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { scenarioSource } from '../../runs/simulation/scenario-source.js';
import { parseSettings } from '../../runs/simulation/settings.js';
import {
  type BisectRun,
  type FirstDifference,
  firstDifference,
  type ReadableEvent,
} from '../../simulator/modes/bisect.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';

const run = { type: 'string', demandOption: true, describe: 'A run: FILE[@SEED][,protocol.x=y]' } as const;

/** `aips simulate bisect A B`: where two runs part. Exit 0 if they never do, 1 if they do. */
export const bisectCommand: Command<InferredOptionTypes<typeof json> & Readonly<Record<'a' | 'b', string>>> = {
  builder: (args: Argv) =>
    args
      .positional('a', run)
      .positional('b', run)
      .options(json)
      .example('$0 simulate bisect a.yaml@7 a.yaml@8,protocol.dms.missedAnchorsMax=90', 'the first event that differs'),
  handler: async ({ a, b, json }) => {
    const parting = firstDifference(await sideOf(a), await sideOf(b));
    if (json) console.log(JSON.stringify({ same: parting === null, ...parting }));
    else console.log(parting === null ? 'The two runs have the same events.' : partingText(parting, a, b));
    process.exitCode = parting === null ? EXIT.clean : EXIT.unclean;
  },
};

async function sideOf(text: string): Promise<BisectRun> {
  const [, path, seed, settings] = /^(.+?)(?:@(\d+))?(?:,(protocol\..*))?$/.exec(text) ?? [];
  if (path === undefined) throw new Failure(`${text}: must be FILE, FILE@SEED or FILE@SEED,protocol.x=y.`);
  return scenarioSource(path, {
    seed: seed === undefined ? undefined : Number(seed),
    set: settings === undefined ? undefined : parseSettings(settings),
  });
}

function partingText({ common, a, b, trailA, trailB }: FirstDifference, nameA: string, nameB: string): string {
  return [
    `The two runs have their first ${common} events in common, and part then.`,
    ...sideText(nameA, a, trailA),
    ...sideText(nameB, b, trailB),
  ].join('\n');
}

function sideText(name: string, seen: ReadableEvent | null, trail: readonly string[]): string[] {
  const what =
    seen === null
      ? 'nothing more in this second'
      : `${seen.second} s: agent ${seen.agent}: ${seen.event} ${seen.outcome}, ${seen.lamports} lamports`;
  return ['', name, `  ${what}`, '  the latest of this agent:', ...trail.map((line) => `    ${line}`)];
}
