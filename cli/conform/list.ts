/** `aips conform list`: prints the checks with their clauses and needs. It judges nothing. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { selectChecks } from '../../conformance/run/select.js';
import { levelOf } from '../../conformance/trial/check.js';
import { Failure } from '../../runs/host/failure.js';
import type { Command } from '../flags/command.js';
import { json } from '../flags/common-options.js';
import { selectionOf, selectionOptions } from './options.js';

const options = { ...selectionOptions, ...json } as const;

/** `aips conform list`: the checks, what each judges and what it needs. */
export const listCommand: Command<InferredOptionTypes<typeof options>> = {
  builder: (args: Argv) =>
    args
      .options(options)
      .example('$0 conform list --profile core', 'what can be judged without payments, clock and control')
      .example("$0 conform list --only 'heartbeat/*' 4.6 --json", 'some checks by id, clause or section'),
  handler: (flags) => {
    const checks = selectChecks(allChecks, selectionOf(flags)).map((check) => {
      const { id, title, clauses, needs, writes } = check;
      return { id, title, level: levelOf(check), clauses, needs, writes };
    });
    if (checks.length === 0) throw new Failure('No check of the profile has such an id, clause or section.');
    if (flags.json) return console.log(JSON.stringify(checks, null, 2));
    for (const { id, title, clauses, needs } of checks) {
      const needed = needs.length === 0 ? 'nothing but the URL' : needs.join(', ');
      console.log(`${id}\n  ${title}\n  clauses  ${clauses.join(', ')}\n  needs    ${needed}`);
    }
    console.log(`${checks.length} of ${allChecks.length} checks.`);
  },
};
