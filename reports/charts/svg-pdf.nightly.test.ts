import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../test/source-tree.js';
import { svgPdf } from './svg-pdf.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-pdf-'));
const NAMES = ['flat-fees', 'freeze-survival', 'sponsor-ring', 'strategic-freezing', 'treasury-tariff'];

// .ci/nightly installs poppler-utils; it is an independent reader of PDF.
it.each(NAMES)('poppler reads every word of the figure %s, and complains of nothing', (name) => {
  const svg = readFileSync(join(root, `docs/figures/${name}.svg`), 'utf8');
  const path = join(folder, `${name}.pdf`);
  writeFileSync(path, svgPdf(svg));
  const read = execFileSync('pdftotext', ['-layout', path, '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The last line is the command, which can be wider than the page.
  const texts = [...svg.matchAll(/<text [^>]*>([^<]*)</g)].slice(0, -1);
  const words = texts.flatMap(([, text = '']) => text.split(/\s+/));
  expect(words.length).toBeGreaterThan(10);
  const missing = words
    .map((word) => word.replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
    .filter((word) => !read.includes(word));
  expect(missing).toEqual([]);
  expect(execFileSync('pdfinfo', [path], { encoding: 'utf8' })).toMatch(/Pages: +1\n/);
});
