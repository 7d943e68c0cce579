// Writes dist/lab/page/: the page of `aips lab`, bundled of lab/page/ with its libraries, so that an installed package needs none of
// them. The charts and the editor are loaded when they are first shown.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeLicences } from './licences.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'lab/page');
const out = join(root, 'dist/lab/page');
const require = createRequire(import.meta.url);

const bundle = await rolldown({ input: { lab: join(page, 'main.ts') }, platform: 'browser' });
const { output } = await bundle.generate({
  format: 'esm',
  minify: true,
  comments: false,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  codeSplitting: { groups: [] },
});
await bundle.close();
const names = output.map(({ fileName }) => fileName).toSorted();
if (names.join() !== 'charts.js,editor.js,lab.js')
  throw new Error(`the page would be other files: ${names.join(', ')}`);
mkdirSync(out, { recursive: true });
for (const { fileName, code } of output) writeFileSync(join(out, fileName), code);
copyFileSync(join(page, 'index.html'), join(out, 'index.html'));
const styles = ['uplot/dist/uPlot.min.css', join(page, 'lab.css')].map((file) =>
  readFileSync(require.resolve(file), 'utf8'),
);
const { PARTS_STYLE } = await import('../dist/reports/views/style.js');
const style = styles.toSpliced(1, 0, PARTS_STYLE).join('\n');
// As in the scripts: no comments, and no space around blocks.
writeFileSync(
  join(out, 'lab.css'),
  style
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/;?\s*([{}])\s*/g, '$1')
    .replaceAll(/\n\s+/g, '\n'),
);

// Every package in the bundle, with its licence.
const packages = new Set(
  output
    .flatMap(({ modules }) => Object.keys(modules))
    .flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
);
writeLicences(
  join(out, 'licenses.txt'),
  [...packages].toSorted().map((name) => [name, 'LICENSE']),
);
