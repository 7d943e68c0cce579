// `aips spec explore`: the example of docs/explore.md, its files and its refusals.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExploreResult } from '../../results/explore-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { blocksOf, documentAt } from '../../test/fixtures/markdown.js';
import { root } from '../../test/source-tree.js';

describe('aips spec explore', () => {
  it('prints the example of the document', async () => {
    const { status, stdout, stderr } = await aips(root, 'spec', 'explore', '--states', '2000');
    expect([status, stderr]).toEqual([0, '']);
    expect(blocksOf(documentAt('docs/explore.md'), 'text')).toContain(stdout);
  });

  it('writes the answers, the small numbers and a script for each trap', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'explore-'));
    const { stdout } = await aips(folder, 'spec', 'explore', '--states', '500', '--out', 'out', '--json');
    const { goals, world } = JSON.parse(stdout) as ExploreResult;
    expect(world).toMatchObject({ agents: 2, states: 500, complete: false });
    expect(readFileSync(join(folder, 'out/explore.json'), 'utf8')).toBe(stdout);
    expect(JSON.parse(readFileSync(join(folder, 'out/small.json'), 'utf8'))).toMatchObject({
      heartbeat: { epochBeats: 4 },
    });
    expect(readFileSync(join(folder, 'out/explore.md'), 'utf8')).toContain(
      '| the root can become active again | trap |',
    );
    const traps = goals.flatMap((goal) => goal.traps);
    expect(traps.length).toBeGreaterThan(1);
    for (const { script } of traps) expect(existsSync(join(folder, 'out/scripts', `${script.name}.json`))).toBe(true);
  });

  it('refuses a number of states that is none', async () => {
    expect(await aips(root, 'spec', 'explore', '--states', '0')).toMatchObject({ status: 2 });
    expect(await aips(root, 'spec', 'explore', '--states', '1.5')).toMatchObject({ status: 2 });
  });
});

describe('aips spec explore of a rule that the text does not have', () => {
  const explored = async (change: string, ...flags: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'explore-'));
    writeFileSync(join(folder, 'change.yaml'), `${change}\n`);
    return aips(folder, 'spec', 'explore', 'change.yaml', '--quick', ...flags);
  };

  it.each([
    [
      '{ dms: { missedAnchorsMax: 5, warningAnchors: 5, graceAnchors: 9 } }',
      'dms.graceAnchors lets a heartbeat bring an agent back that',
    ],
    [
      'formulas: { resync.penaltyBeats: missedAnchors * 100000000000 }',
      'the penalty for 61 missed anchors is more than 10^12',
    ],
  ])('refuses one of which the small world has no form: %s', async (change, why) => {
    const { status, stderr } = await explored(change);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`change.yaml: cannot be explored: ${why}`)]);
  });

  it('shows the price of a child by another formula', async () => {
    const { status } = await explored('formulas: { spawn.costBeats: 10 + depth + siblings }', '--states', '300');
    expect(status).toBe(0);
  });
});
