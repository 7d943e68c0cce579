// A module of rules with every tool: the same file is simulated, repeated, swept, explored, served and judged.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { smallNumbers } from '../explore/small-numbers.js';
import type { SimulationManifest } from '../results/simulation-result.js';
import { ruleModules, useRules } from '../rules/rule-module.js';
import { parseOverlay, withOverlay } from '../spec/overlay.js';
import { aips, aipsProcess } from './fixtures/aips.js';
import { root } from './source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-rules-'));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const hashOf = (name: string): string => (JSON.parse(read(`${name}/manifest.json`)) as SimulationManifest).event_hash;

/** Writes a module of a penalty, and the overlay and the scenario that name it. */
function write(name: string, penalty: string): void {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `export default {\n  'resync.penaltyBeats': ({ missedAnchors }, { resync }) => ${penalty},\n};\n`,
  );
  useRules(file);
  const formulas = `formulas: { resync.penaltyBeats: { module: ${name}.mjs, sha256: ${ruleModules()[0]?.sha256} } }`;
  writeFileSync(join(folder, `${name}.yaml`), `${formulas}\n`);
  const scenario = read('scenario.yaml');
  writeFileSync(join(folder, `${name}-scenario.yaml`), `${scenario}\nprotocol: { ${formulas} }\n`);
}

beforeAll(() => {
  const text = readFileSync(join(root, 'scenarios/library/strategic-freezing.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'scenario.yaml'),
    text.replace(/^expectations:[\s\S]*/m, '').replace('duration: 20d', 'duration: 4d'),
  );
  write('own', 'Math.min(resync.beatsPerMissedAnchor * missedAnchors, resync.beatsMax)');
  write('square', 'missedAnchors > 70 ? missedAnchors ** 2 : 2 * resync.beatsPerMissedAnchor * missedAnchors');
});

afterEach(() => useRules());

describe('a module that is the text’s formula', () => {
  it('gives the events of the text, in threads too', async () => {
    await aips(folder, 'simulate', 'scenario.yaml', '--out', 'text');
    for (const [name, ...flags] of [['one'], ['two', '--threads', '2']] as const)
      await aips(
        folder,
        'simulate',
        'scenario.yaml',
        '--protocol',
        'own.yaml',
        '--rules',
        'own.mjs',
        '--out',
        name,
        ...flags,
      );
    await aips(folder, 'simulate', 'own-scenario.yaml', '--rules', 'own.mjs', '--out', 'within');
    expect([hashOf('one'), hashOf('two'), hashOf('within')]).toEqual(Array(3).fill(hashOf('text')));
  });
});

describe('a module that is another formula', () => {
  const rules = ['--rules', 'square.mjs'];

  it('changes the events; a run names it, and is repeated with it alone', async () => {
    const played = await aips(
      folder,
      'simulate',
      'scenario.yaml',
      '--protocol',
      'square.yaml',
      ...rules,
      '--out',
      'square',
    );
    expect(played.stdout).toMatch(
      /again +aips simulate scenario.yaml --seed \d+ --protocol square.yaml --rules square.mjs\n/,
    );
    expect(hashOf('square')).not.toBe(hashOf('text'));
    useRules();
    const without = await aips(folder, 'simulate', 'again', 'square/manifest.json');
    expect([without.status, without.stderr]).toEqual([2, expect.stringContaining('give its path with --rules')]);
    const again = await aips(folder, 'simulate', 'again', 'square/manifest.json', ...rules);
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining(`reproduced: ${hashOf('square')}`)]);
  });

  it('is swept, with the same bytes by one thread and by two', async () => {
    const design = 'design: { kind: grid, factors: { protocol.resync.beatsPerMissedAnchor: [50, 100] } }';
    writeFileSync(
      join(folder, 'sweep.yaml'),
      `format: 1\nname: rules\nquestion: Does a module reach every thread?\nscenario: square-scenario.yaml\nreplicates: 2\n${design}\nmeasures: [resyncs]\n`,
    );
    const sweep = (...flags: readonly string[]) => aips(folder, 'experiment', 'sweep', 'sweep.yaml', ...flags);
    for (const threads of ['1', '2'])
      expect(await sweep(...rules, '--threads', threads, '--out', `sweep-${threads}`)).toMatchObject({ status: 0 });
    expect(read('sweep-2/rows.csv')).toBe(read('sweep-1/rows.csv'));
    useRules();
    const without = await sweep('--out', 'sweep-none');
    expect([without.status, without.stderr]).toEqual([2, expect.stringContaining('is code, which is run only if')]);
  });

  it('is served and judged: a server that has it passes, and one without it fails by the penalty', async () => {
    const only = ['--configuration', 'devnet', '--only', 'resync/penalty'];
    const held = await aips(folder, 'conform', 'self', ...only, '--protocol', 'square.yaml', ...rules);
    expect([held.status, held.stdout]).toEqual([0, expect.stringContaining('1 pass')]);
    const under = await aips(folder, 'conform', 'self', ...only, '--under', 'square.yaml', ...rules);
    expect([under.status, under.stdout]).toEqual([1, expect.stringContaining('resync.penalty')]);
  });

  it('has a small form, an expression with as many penalties in the same order', () => {
    useRules(join(folder, 'square.mjs'));
    const overlay = parseOverlay(read('square.yaml'), 'square.yaml');
    if (!overlay.ok) throw new Error('the overlay is refused');
    const small = smallNumbers(withOverlay(overlay.value));
    // 12,200 beats at the freeze, 5,041 after 70 missed anchors, and then more and more.
    expect(small.parts?.formulas?.['resync.penaltyBeats']).toBe(
      '200 - 100 * min(max(missedAnchors - 3, 0), 1) + 200 * min(max(missedAnchors - 4, 0), 1)',
    );
  });
});

it('a module that nothing names has no effect, which is said', async () => {
  const { status, stderr } = await aipsProcess(folder, 'spec', 'lint', '--rules', 'own.mjs');
  expect([status, stderr]).toEqual([0, expect.stringContaining('--rules own.mjs: has no effect: a formula names it')]);
});

it('AIPS_RULES names modules like the option, and is named where it is wrong', async () => {
  process.env['AIPS_RULES'] = join(folder, 'nothing.mjs');
  const { status, stderr } = await aips(folder, 'spec', 'lint');
  expect([status, stderr]).toEqual([2, `AIPS_RULES: ${folder}/nothing.mjs: there is no such module of rules.\n`]);
});
