// Writes the licences of bundled packages: a text for each, with its name and version, apart by lines.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');

/** Writes to `file` the licence files of packages, given as pairs of a name and a file of it. */
export function writeLicences(file, licences) {
  const texts = licences.map(([name, licence]) => {
    const { version, license } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
    const path = join(modules, name, licence);
    if (!existsSync(path)) throw new Error(`${name} has no ${licence}`);
    return `${name} ${version} (${license}), ${licence}\n\n${readFileSync(path, 'utf8').trim()}\n`;
  });
  writeFileSync(file, texts.join(`\n${'-'.repeat(80)}\n\n`));
}
