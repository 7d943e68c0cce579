// Puts libraries into the files of dist/ that use them, with their licences beside: the parts of ECharts that draw our charts, and
// Preact with htm, which write markup. An installed package needs no more of them. All other files of dist/ are as the compiler
// writes them.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeLicences } from './licences.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
async function bundle(path, licences) {
  const file = join(root, 'dist', path);
  const made = await rolldown({
    input: file,
    external: (name, importer) => importer === file && name.startsWith('.'),
    platform: 'node',
  });
  const { output } = await made.generate({ format: 'esm', minify: true, comments: { legal: true } });
  await made.close();
  const [chunk, ...others] = output;
  const strangers = chunk.imports.filter((name) => !name.startsWith('node:') && !existsSync(join(dirname(file), name)));
  if (others.length > 0 || strangers.length > 0)
    throw new Error(`${path} would not stand alone: ${strangers.join(', ')}`);
  writeFileSync(file, chunk.code);
  writeLicences(file.replace(/\.js$/, '.licenses.txt'), licences);
}

await bundle('reports/charts/charts.js', [
  ['echarts', 'LICENSE'],
  ['echarts', 'NOTICE'],
  ['zrender', 'LICENSE'],
]);
await bundle('reports/views/markup.js', [
  ['preact', 'LICENSE'],
  ['preact-render-to-string', 'LICENSE'],
  ['htm', 'LICENSE'],
]);
