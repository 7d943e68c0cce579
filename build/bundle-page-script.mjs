// Writes reports/html/unfold-bundle.ts: the part of a page's script that unfolds transcripts, made of reports/html/unfold.ts and
// of what it imports, so that a browser shows a transcript by the same code as the command. With --check it writes nothing and
// fails where the file is not of these sources.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'reports/html');
const file = join(folder, 'unfold-bundle.ts');

const bundle = await rolldown({ input: join(folder, 'unfold.ts'), platform: 'browser' });
const { output } = await bundle.generate({ format: 'iife', name: 'unfold', minify: true, comments: false });
await bundle.close();
const [chunk, ...others] = output;
if (others.length > 0 || chunk.imports.length > 0)
  throw new Error(`unfold.ts needs what a page has not: ${chunk.imports.join(', ')}`);
const text = `/** The code that unfolds transcripts in a page, minified: \`npm run build\` makes it of unfold.ts. Nothing is changed here by hand. */
export const UNFOLD = ${JSON.stringify(chunk.code.trim())};
`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('reports/html/unfold-bundle.ts is not of these sources: run npm run build and commit it\n');
  process.exitCode = 1;
}
