// Writes docs/figures/life.svg, the moving picture of the front page, the same bytes each time: npm run picture. It needs the build.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { lifeOfPopulation } = await import('../dist/runs/site/life.js');
const file = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/figures/life.svg');
writeFileSync(file, await lifeOfPopulation());
console.log(`wrote ${file}`);
