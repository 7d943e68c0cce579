// The shell blocks of the documents that take long, and the workflow that judges a change of the specification.
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksFor, desk, expectRuns, run, scriptsOf, withReference } from './fixtures/document-desk.js';
import { root } from './source-tree.js';

it.concurrent.each(blocksFor('night').map(({ path, first, block }) => [path, first, block] as const))(
  '%s: %s',
  (_path, _first, block) => expectRuns(block),
);

it('spec-change-workflow.yml judges the change of the examples and shows the summary', async () => {
  const steps = scriptsOf('spec-change-workflow.yml');
  expect(steps.map(([name]) => name)).toEqual(['Look for a change', 'Judge the change', 'Show the summary']);
  await withReference(async (reference) => {
    const place = await desk(reference);
    for (const file of ['spec-change.yaml', 'spec-change-accepted.yaml'])
      copyFileSync(join(root, 'examples', file), join(place.folder, file));
    for (const [name, script] of steps) {
      // A part of the suite and of the library, so that it does not take minutes.
      const part = script.replace('--out', '--only keep-alive-cost resync/free --replicates 2 --out');
      const { status, err } = await run(part, place);
      // A line says before how long it takes.
      expect([name, status, err.replace(/^.* s of one core\.\n/, '')]).toEqual([name, 0, '']);
    }
    const summary = readFileSync(join(place.folder, 'page.md'), 'utf8');
    expect(summary).toContain('✅ The change passes: `spec-change.yaml`');
    expect(summary).toContain('### Effects on people');
  });
});
