/** The option `--rules` of every command: modules of the user's own rules (rules/rule-module.ts), which formulas of an overlay or a scenario name. */

import { basename, resolve } from 'node:path';
import { isRuleUsed, RULES_VARIABLE, RuleFault, rulesOfEnvironment, useRules } from '../../rules/rule-module.js';
import { Failure } from '../../runs/host/failure.js';
import { readBytes } from '../../runs/host/files.js';
import { namedInput } from '../../runs/host/input-bytes.js';

const MODULE = 'module of rules';

/** The option as yargs has it: once, or more than once. */
type Given = unknown;

const filesOf = (given: Given): readonly string[] => [given].flat().map(String);

/** Names the modules of the option, or else of AIPS_RULES, for the threads and processes of this command, too. Failure for one that cannot be used. */
export function nameRules(given: Given): void {
  const by = given === undefined ? RULES_VARIABLE : '--rules';
  if (filesOf(given).includes('')) throw new Failure('--rules needs a value.');
  try {
    const named = (given === undefined ? rulesOfEnvironment() : filesOf(given)).map((file) => namedInput(file, MODULE));
    for (const file of named) readBytes(file, MODULE);
    useRules(...named.map((file) => resolve(file)));
  } catch (error) {
    if (error instanceof Failure || error instanceof RuleFault) throw new Failure(`${by}: ${error.message}`);
    throw error;
  }
}

/** Commands whose overlays and scenarios come later, or in other threads. */
const LATER: readonly string[] = ['lab', 'experiment worker'];

/** Says that no formula that the command has read names a module. */
export function warnOfUnusedRules(given: Given, command: string): void {
  const [file = ''] = filesOf(given);
  if (isRuleUsed() || LATER.includes(command)) return;
  console.error(
    `--rules ${file}: has no effect: a formula names it, in an overlay or in protocol: of a scenario, as in formulas: { resync.penaltyBeats: { module: ${basename(file)}, sha256: … } }.`,
  );
}

/** True for a mistake of a module. An error from another thread has the name alone. */
export const isRuleFault = (error: unknown): error is Error => error instanceof Error && error.name === RuleFault.name;
