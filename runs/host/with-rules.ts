/** Commands that print how to repeat them name the modules of rules that they were given. */

import { relative } from 'node:path';
import { shellWord } from '../../reports/text/shell-word.js';
import { ruleModules } from '../../rules/rule-module.js';

/** A command with the modules of `--rules`, where the user has named some. */
export function withRules(command: string): string {
  return [command, ...ruleModules().map(({ file }) => `--rules ${shellWord(relative('', file))}`)].join(' ');
}
