// Writes reports/html/unfold-bundle.ts: the part of a page's script that unfolds transcripts, made of reports/html/unfold.ts and
// of what it imports, so that a browser shows a transcript by the same code as the command. The build and the tests make it
// before they need it; it is not in git.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'reports/html');
const file = join(folder, 'unfold-bundle.ts');

/** Writes the bundle where it differs from the one that is there: vitest calls this by its name. */
export async function setup() {
  const bundle = await rolldown({ input: join(folder, 'unfold.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'unfold', minify: true, comments: false });
  await bundle.close();
  const [chunk, ...others] = output;
  if (others.length > 0 || chunk.imports.length > 0)
    throw new Error(`unfold.ts needs what a page has not: ${chunk.imports.join(', ')}`);
  const text = `/** The code that unfolds transcripts in a page, minified: build/bundle-page-script.mjs makes it of unfold.ts. */
export const UNFOLD = ${JSON.stringify(chunk.code.trim())};
`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
