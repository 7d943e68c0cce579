/** The option `--rules` of every command: modules of the user's own rules (rules/rule-module.ts), which formulas of an overlay or a scenario name. */

import { basename, resolve } from 'node:path';
import { isRuleUsed, RuleFault, useRules } from '../../rules/rule-module.js';
import { readBytes } from '../../runs/host/files.js';
import { namedInput } from '../../runs/host/input-bytes.js';

const MODULE = 'module of rules';

/** Names modules for the threads and processes of this command, too. Failure or RuleFault for one that cannot be used. */
export function nameRules(files: readonly string[]): void {
  const named = files.map((file) => namedInput(file, MODULE));
  for (const file of named) readBytes(file, MODULE);
  useRules(...named.map((file) => resolve(file)));
}

/** Commands whose overlays and scenarios come later, or in other threads. */
const LATER: readonly string[] = ['lab', 'experiment worker'];

/** Says that no formula that the command has read names a module. */
export function warnOfUnusedRules([file = '']: readonly string[], command: string): void {
  if (isRuleUsed() || LATER.includes(command)) return;
  console.error(
    `--rules ${file}: has no effect: a formula names it, in an overlay or in protocol: of a scenario, as in formulas: { resync.penaltyBeats: { module: ${basename(file)}, sha256: … } }.`,
  );
}

/** Whether an error is a mistake of a module, found here or in another thread. */
export const isRuleFault = (error: unknown): error is Error => error instanceof Error && error.name === RuleFault.name;
