// Puts a folder into a ZIP file, in the order of names and with one time for all, so that equal folders give equal bytes. It needs the
// ZIP functions of Node 26. Usage: node build/binary-archive.mjs FOLDER FILE; build/binary.mjs calls it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createZipArchiveSync, ZipEntry } from 'node:zlib';

const [folder, file] = process.argv.slice(2);
const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort();
const modified = new Date('2026-01-01T00:00:00Z');
const entries = paths.map((path) => ZipEntry.createSync(path, readFileSync(join(folder, path)), { modified }));
writeFileSync(file, Buffer.concat([...createZipArchiveSync(entries)]));
