// Puts the parts of ECharts that draw our charts into dist/reports/charts.js, with their licences beside it, so that an installed
// package needs no more of it. It bundles nothing else: all other files of dist/ are as the compiler writes them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const charts = join(root, 'dist/reports/charts.js');

const bundle = await rolldown({
  input: charts,
  external: (name, importer) => importer === charts && name.startsWith('./'),
  platform: 'node',
});
const { output } = await bundle.generate({ format: 'esm', minify: true, comments: { legal: true } });
await bundle.close();
const [chunk, ...others] = output;
const strangers = chunk.imports.filter((name) => !name.startsWith('node:') && !existsSync(join(dirname(charts), name)));
if (others.length > 0 || strangers.length > 0)
  throw new Error(`charts.js would not stand alone: ${strangers.join(', ')}`);
writeFileSync(charts, chunk.code);

const require = createRequire(import.meta.url);
const texts = [
  ['echarts', 'LICENSE'],
  ['echarts', 'NOTICE'],
  ['zrender', 'LICENSE'],
].map(([name, file]) => {
  const folder = dirname(require.resolve(`${name}/package.json`));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}, ${file}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
writeFileSync(join(root, 'dist/reports/charts.licenses.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
