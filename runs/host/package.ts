/** The package that this program is part of: its folder and its version. It imports no other file. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package: the nearest one above this file that holds a package.json. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The folder of the rooms whose code runs: `dist` of the package, or the package itself for sources. */
export function codeRoot(): string {
  const root = packageRoot();
  const built = join(root, 'dist');
  return dirname(fileURLToPath(import.meta.url)).startsWith(`${built}${sep}`) ? built : root;
}

/** The version of this package. */
export function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
