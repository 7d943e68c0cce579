// Text from files of others, as commands print it: none of it acts on a terminal or on the log of a CI service.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printable } from '../results/visible.js';
import { aips } from '../test/fixtures/aips.js';
import { HOSTILE, hostileConformance } from '../test/fixtures/results.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-printed-'));
const nasty = `${HOSTILE}\n::error::x\n  ::add-mask::y\n##[error]z ##vso[task.complete]`;
const escaped = JSON.stringify(nasty);

const result = hostileConformance();
const named = {
  ...result,
  clauses: result.clauses.map((clause) => ({ ...clause, text: nasty, state: 'holds' as const })),
};
for (const [name, report] of [
  ['before', named],
  ['after', { ...named, clauses: named.clauses.map((clause) => ({ ...clause, state: 'fails', reason: nasty })) }],
] as const) {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'conformance.json'), JSON.stringify(report).replaceAll('hostile/', '::error::'));
}
writeFileSync(
  join(folder, 'nasty.yaml'),
  `{${escaped}: {${escaped}: ${escaped}}, schema: ${escaped}, name: ${escaped}, op: ${escaped}}`,
);
writeFileSync(join(folder, 'nasty.json'), `{"version": 1, "sequence": ${escaped}, "schema": ${escaped}}`);
writeFileSync(join(folder, 'nasty.mjs'), `export const behaviours = { [${escaped}]: {} };\n`);
writeFileSync(join(folder, 'throws.mjs'), `throw new Error(${escaped});\n`);

const commands: readonly (readonly string[])[] = [
  ['conform', 'diff', 'before', 'after'],
  ['conform', 'diff', 'before', 'after', '--json'],
  ['conform', 'diff', 'before', 'after', '--markdown', 'written/diff.md'],
  ['conform', 'diff', 'nasty.json', 'after'],
  ['report', 'before', 'after', '--out', 'written/report.html'],
  ['conform', 'http://127.0.0.1:9', '--failed', 'after/conformance.json'],
  ['conform', '--target', 'nasty.yaml'],
  ['conform', 'http://127.0.0.1:9', '--baseline', 'nasty.yaml'],
  ['conform', nasty],
  ['conform', 'fuzz', 'nasty.json'],
  ['experiment', 'search', 'nasty.yaml'],
  ['experiment', 'sensitivity', 'nasty.yaml'],
  ['serve', '--dialect', 'nasty.yaml'],
  ['simulate', 'nasty.yaml'],
  ['simulate', 'nasty.yaml', '--behaviours', 'nasty.mjs'],
  ['simulate', 'nasty.yaml', '--behaviours', 'throws.mjs'],
  ['simulate', nasty],
  ['simulate', 'again', 'nasty.json'],
  ['spec', 'lint', 'nasty.yaml'],
  ['spec', 'check', 'nasty.yaml'],
  ['spec', 'clauses', nasty],
  ['experiment', 'sweep', 'nasty.yaml'],
  ['tools', 'verify-passport', 'nasty.json', '--key', 'ab'.repeat(32)],
  ['tools', 'wallet', 'sign', 'nasty.yaml', 'a'],
];

/** Control characters except tabs and line ends, line separators, and characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/u;
const COMMAND = /^\s*::.*::|##(?:vso)?\[/mu;

describe('a hostile file', () => {
  it.each(
    commands.map((command) => [command.join(' ').slice(0, 60).replace(nasty.slice(0, 20), '…'), command] as const),
  )('acts on nothing when it is given to aips %s', async (_, command) => {
    const { status, stdout, stderr } = await aips(folder, ...command);
    for (const text of [stdout, stderr]) expect([HIDDEN.exec(text), COMMAND.exec(text)]).toEqual([null, null]);
    expect(`${stdout}${stderr}`).not.toBe('');
    expect([0, 1, 2]).toContain(status);
  });

  it('leaves nothing of it in what is written', () => {
    const written = readdirSync(join(folder, 'written'));
    expect(written.toSorted()).toEqual(['diff.md', 'report.html']);
    for (const name of written) expect(HIDDEN.exec(readFileSync(join(folder, 'written', name), 'utf8'))).toBeNull();
  });
});

describe('printable', () => {
  it.each([
    ['::1 is an address', '::1 is an address'],
    ['a ::error::b', 'a ::error::b'],
    ['\u00a0::error::b', '\u00a0[U+003A]:error::b'],
    ['x\n::set-output name=a::b', 'x\n[U+003A]:set-output name=a::b'],
    ['a ##[error]b', 'a [U+0023]#[error]b'],
    ['{"a":"\u202e##[x]"}\n', '{"a":"\\u202e#\\u0023[x]"}\n'],
  ])('shows %j as %j', (text, shown) => {
    expect(printable(text, false)).toBe(shown);
    expect(printable(shown, false)).toBe(shown);
  });

  it('keeps colours where they are ours', () => {
    expect(printable('\u001b[31mred\u001b[39m\u001b[2J', true)).toBe('\u001b[31mred\u001b[39m␛[2J');
    expect(printable('\u001b[31mred', false)).toBe('␛[31mred');
  });
});
