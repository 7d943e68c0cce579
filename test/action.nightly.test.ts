// The action with a change of the specification in place of a server; `.ci/package` runs it from the packed file.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { actionAt, runStep } from './fixtures/action-step.js';
import { root } from './source-tree.js';

const action = actionAt('.');

it('the step of the action judges a change of the specification in place of a server', () => {
  const example = (name: string): string => join(root, 'examples', name);
  const change = { overlay: example('spec-change.yaml'), accepted: example('spec-change-accepted.yaml') };
  const ran = runStep(action, 'conform', {
    ...change,
    args: '--only keep-alive-cost heartbeat/too-soon --replicates 0',
  });
  expect([ran.status, ran.text]).toEqual([0, expect.stringContaining('The change passes')]);
  expect(ran.summary).toContain('heartbeat.narrowTaskCap: 1,000 → 1,800 heartbeats');
  expect(ran.outputs).toBe('status=0\nreport=aips-report\n');
  expect(ran.text).not.toContain('::error');
  const failed = runStep(action, 'conform', { overlay: change.overlay, args: '--only keep-alive-cost --replicates 0' });
  expect([failed.status, failed.text]).toEqual([
    1,
    expect.stringMatching(/^::error file=\S*spec-change\.yaml,line=2,/m),
  ]);
});
