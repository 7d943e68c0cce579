/** The files of the page, read once at start into a table by path. No request names a file: it names a row of this table. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../runs/host/failure.js';
import { packageRoot } from '../../runs/host/package.js';

/** A file of the page, as it is sent. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Paths of the page, with the file of each in dist/lab/page/ and its type. */
const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/lab.css': ['lab.css', 'text/css; charset=utf-8'],
  '/lab.js': ['lab.js', 'text/javascript; charset=utf-8'],
  '/charts.js': ['charts.js', 'text/javascript; charset=utf-8'],
  '/editor.js': ['editor.js', 'text/javascript; charset=utf-8'],
} as const;

/** Reads the files of the page. Throws a Failure that names the command which makes them where one is missing. */
export function readAssets(folder = join(packageRoot(), 'dist/lab/page')): ReadonlyMap<string, Asset> {
  return new Map(
    Object.entries(FILES).map(([path, [file, type]]) => {
      try {
        return [path, { type, bytes: readFileSync(join(folder, file)) }];
      } catch {
        throw new Failure(`${join(folder, file)} is missing: the build makes it (npm run build).`);
      }
    }),
  );
}
