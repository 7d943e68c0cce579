// Writes reports/views/page-script-bundle.ts: the script of a page, made of reports/views/page-script.ts and of what it imports,
// so that a browser shows an evidence or a transcript by the same code as the command. The build and the tests make it before they
// need it; it is not in git.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'reports/views');
const file = join(folder, 'page-script-bundle.ts');

/** Writes the bundle where it differs from the one that is there: vitest calls this by its name. */
export async function setup() {
  const bundle = await rolldown({ input: join(folder, 'page-script.ts'), platform: 'browser', treeshake: true });
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
  await bundle.close();
  const [chunk, ...others] = output;
  if (others.length > 0 || chunk.imports.length > 0)
    throw new Error(`page-script.ts needs what a page has not: ${chunk.imports.join(', ')}`);
  const licence = '/* Preact (c) 2015-present Jason Miller, htm (c) 2018 Google Inc.: MIT and Apache-2.0 */';
  // A browser takes NUL for another character, and a terminal obeys some: a script holds them as escapes.
  const code = chunk.code
    .trim()
    .replace(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const text = `/** The script of a page, minified: build/bundle-page-script.mjs makes it of page-script.ts. */
export const PAGE_SCRIPT = ${JSON.stringify(`${licence}${code}`)};
`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
