// Command lines of `npm run mutants` that can judge nothing, or of which a part would be ignored; and one that judges.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../test/source-tree.js';

const mutants = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'dist/planted/mutants.js'), ...args], { encoding: 'utf8' });

it.each([
  [['--shares', '0.2'], "Unknown option '--shares'"],
  [['--threads', 'abc'], '--threads must be a whole number, 1 or more'],
  [['--share', '2'], '--share must be more than 0 and at most 1'],
  [['--share', '0.0000001'], 'draws no mutant: give a larger --share'],
  [['--only', 'checkin/works', '--only', 'no/such'], 'No mutant has an id or a clause like no/such'],
  [['--chaos', '1', '--only', 'checkin/*'], '--chaos takes no --only'],
  [['--assertions', '--report', 'out'], '--assertions takes no --report'],
  [['--runs', '5'], 'A run over mutants takes no --runs'],
])('%j', (args, message) => {
  const { status, stderr } = mutants(...args);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
  expect(status).toBe(2);
});

it('plants a change of the source, and finds it by its own clause', () => {
  const { status, stdout } = mutants('--only', 'checkin/works', '--json');
  const { mutants: found } = JSON.parse(stdout) as { readonly mutants: readonly { id: string; outcome: string }[] };
  expect(found.map(({ id, outcome }) => [id, outcome])).toEqual([['checkin/works', 'killed']]);
  expect(status).toBe(0);
});
