/** Writes the figures in folders of results as PDF. How one is written is in reports/charts/svg-pdf.ts. */

import { join } from 'node:path';
import { svgPdf } from '../../reports/charts/svg-pdf.js';
import { Failure } from '../../runs/host/failure.js';
import { readFolder, readText, writeFiles } from '../../runs/host/files.js';

/** The badge of a conformance run is an SVG, and no figure. */
const BADGE = 'badge.svg';

/** Writes each SVG file of these folders as PDF into its folder. Failure where the folders have none, or for one that PDF is not written of. */
export function writePdfs(folders: readonly string[]): void {
  const figures = [...new Set(folders)].flatMap((folder) =>
    readFolder(folder, 'results')
      .filter((name) => name.endsWith('.svg') && name !== BADGE)
      .map((name) => ({ folder, name })),
  );
  if (figures.length === 0) throw new Failure('--pdf: there are no figures in these folders. Draw some with --chart.');
  for (const { folder, name } of figures)
    writeFiles(folder, { [name.replace(/svg$/, 'pdf')]: pdfOf(join(folder, name)) });
}

function pdfOf(path: string): Uint8Array {
  try {
    return svgPdf(readText(path, 'figure'));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Failure(`${path}: cannot be written as PDF: ${error.message}.`);
  }
}
