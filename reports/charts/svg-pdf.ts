/**
 * Writes a figure of the package as PDF 1.4: one page of lines, areas and text in Helvetica, the same bytes for the same SVG. It draws the subset
 * of SVG that the charts of this folder have, and refuses everything else, so that no figure lacks a part in silence.
 */

import { HELVETICA_WIDTHS, winAnsi } from './helvetica.js';
import { elementsIn, readSvg, type SvgElement } from './svg-reader.js';

const PAINT = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity'];
const PAINTS = [...PAINT, 'fill-opacity', 'stroke-opacity', 'transform', 'clip-path'];
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  svg: ['x', 'y', 'width', 'height', 'viewBox'],
  g: ['transform', 'clip-path'],
  defs: [],
  clipPath: [],
  title: [],
  text: ['x', 'y', 'transform', 'fill', 'font-size', 'text-anchor', 'dominant-baseline'],
  rect: [...PAINTS, 'x', 'y', 'width', 'height'],
  line: [...PAINTS, 'x1', 'y1', 'x2', 'y2'],
  circle: [...PAINTS, 'cx', 'cy', 'r'],
  polyline: [...PAINTS, 'points'],
  polygon: [...PAINTS, 'points'],
  path: [...PAINTS, 'd'],
};
const CAPS: Readonly<Record<string, number>> = { butt: 0, round: 1, square: 2, miter: 0, bevel: 2 };
/** The control points of a quarter of a circle. */
const ARC = 0.5523;
/** From the middle of a line of text to its baseline, in font sizes. */
const CENTRAL = 0.35;

/** An SVG file as a PDF. RangeError for an element, an attribute or a value that is not drawn. */
export function svgPdf(svg: string): Uint8Array {
  const root = readSvg(svg, KNOWN);
  const [width, height] = [number(root, 'width'), number(root, 'height')];
  const drawing: Drawing = { operators: [], states: [], clips: new Map(clipsIn(root)) };
  for (const child of elementsIn(root)) draw(child, drawing);
  const title =
    elementsIn(root)
      .find(({ name }) => name === 'title')
      ?.children.join('') ?? '';
  const states = drawing.states.map((state, i) => `/G${i} << ${state} >>`).join(' ');
  // SVG counts downwards from the upper left corner, PDF upwards from the lower left one.
  const content = [`1 0 0 -1 0 ${decimal(height)} cm`, ...drawing.operators].join('\n');
  return pdfBytes([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${decimal(width)} ${decimal(height)}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /ExtGState << ${states} >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title ${textOf(winAnsi(title))} /Producer (aips-lab) >>`,
  ]);
}

/** The file of these objects, the first of which is the catalog and the last the information. Each character is a byte. */
function pdfBytes(objects: readonly string[]): Uint8Array {
  let file = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [i, object] of objects.entries()) {
    places.push(file.length);
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Uint8Array.from(file, (letter) => letter.charCodeAt(0));
}

/** The outlines of clip paths by their ids. */
function clipsIn(element: SvgElement): readonly (readonly [string, string])[] {
  if (element.name !== 'clipPath') return elementsIn(element).flatMap(clipsIn);
  return [[`url(#${element.given.get('id') ?? ''})`, elementsIn(element).map(outlineOf).join('\n')]];
}

interface Drawing {
  readonly operators: string[];
  /** Degrees of opacity. */
  readonly states: string[];
  readonly clips: ReadonlyMap<string, string>;
}

function draw(element: SvgElement, drawing: Drawing): void {
  const { name, given } = element;
  if (name === 'title' || name === 'defs') return;
  const { operators, clips } = drawing;
  const clip = given.get('clip-path');
  const outline = clip === undefined ? undefined : clips.get(clip);
  if (clip !== undefined && outline === undefined) throw new RangeError(`a figure has no clip path ${clip}`);
  operators.push('q');
  if (name === 'svg' || given.has('transform')) operators.push(`1 0 0 1 ${moved(element).map(decimal).join(' ')} cm`);
  if (outline !== undefined) operators.push(outline, 'W n');
  if (name === 'svg' || name === 'g') for (const child of elementsIn(element)) draw(child, drawing);
  else if (name === 'text') operators.push(...textOperators(element));
  else operators.push(...paintOperators(element, drawing.states));
  operators.push('Q');
}

/** How far an element is moved: by its transform, or as an SVG within another, of the size of its view. */
function moved(element: SvgElement): readonly [number, number] {
  if (element.name === 'svg') {
    const view = element.given.get('viewBox') ?? '';
    if (view !== `0 0 ${number(element, 'width')} ${number(element, 'height')}`)
      throw new RangeError(`a figure has an SVG with the view ${view} of another size, which is not drawn in PDF`);
    return [number(element, 'x', 0), number(element, 'y', 0)];
  }
  const transform = element.given.get('transform') ?? '';
  const [, x, y] = /^translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)$/.exec(transform) ?? [];
  if (x === undefined) throw new RangeError(`a figure has the transform ${transform}, which is not drawn in PDF`);
  return [Number(x), Number(y)];
}

function paintOperators(element: SvgElement, states: string[]): readonly string[] {
  const { name, given } = element;
  const fill = name === 'line' ? undefined : colourOf(given.get('fill') ?? '#000000');
  const stroke = colourOf(given.get('stroke') ?? 'none');
  const opacity = number(element, 'opacity', 1);
  const [filled, lined] = ['fill-opacity', 'stroke-opacity'].map((key) => decimal(opacity * number(element, key, 1)));
  const state = `/ca ${filled} /CA ${lined}`;
  if (!states.includes(state)) states.push(state);
  const dashes = given.get('stroke-dasharray') ?? 'none';
  const outline = outlineOf(element);
  if (outline === '') return [];
  return [
    `/G${states.indexOf(state)} gs`,
    ...(fill === undefined ? [] : [`${fill} rg`]),
    ...(stroke === undefined
      ? []
      : [
          `${stroke} RG ${decimal(number(element, 'stroke-width', 1))} w`,
          `${numberOf(CAPS, given.get('stroke-linecap') ?? 'butt')} J ${numberOf(CAPS, given.get('stroke-linejoin') ?? 'miter')} j`,
          `[${dashes === 'none' ? '' : dashes.split(/[ ,]+/).map(finite).map(decimal).join(' ')}] 0 d`,
        ]),
    outline,
    fill === undefined ? (stroke === undefined ? 'n' : 'S') : stroke === undefined ? 'f' : 'B',
  ];
}

/** The path of a shape; empty where it has no points. */
function outlineOf(element: SvgElement): string {
  const at = (key: string): number => number(element, key, 0);
  const { name, given } = element;
  if (name === 'rect') return `${['x', 'y', 'width', 'height'].map((key) => decimal(at(key))).join(' ')} re`;
  if (name === 'line') return `${point(at('x1'), at('y1'))} m ${point(at('x2'), at('y2'))} l`;
  if (name === 'circle') return circle(at('cx'), at('cy'), at('r'));
  if (name === 'path') return pathOf(given.get('d') ?? '');
  if (name !== 'polyline' && name !== 'polygon')
    throw new RangeError(`a figure clips by <${name}>, which is not drawn in PDF`);
  const numbers = (given.get('points') ?? '')
    .split(/[ ,]+/)
    .filter((each) => each !== '')
    .map(finite);
  const points = numbers.flatMap((x, i) => (i % 2 === 0 ? [point(x, numbers[i + 1] ?? Number.NaN)] : []));
  return [
    ...points.map((each, i) => `${each} ${i === 0 ? 'm' : 'l'}`),
    ...(name === 'polygon' && points.length > 0 ? ['h'] : []),
  ].join('\n');
}

function circle(x: number, y: number, r: number): string {
  const quarters = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ] as const;
  const curves = quarters.map(([a, b]) =>
    [
      [a - ARC * b, b + ARC * a],
      [ARC * a - b, ARC * b + a],
      [-b, a],
    ].map(([dx = 0, dy = 0]) => point(x + r * dx, y + r * dy)),
  );
  return [`${point(x + r, y)} m`, ...curves.map((ends) => `${ends.join(' ')} c`), 'h'].join('\n');
}

/** Path data of straight lines. */
function pathOf(data: string): string {
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const steps = [...data.matchAll(/([A-Za-z])([^A-Za-z]*)/g)].flatMap(([, letter = '', text = '']) => {
    const numbers = [...text.matchAll(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g)].map(([each]) => finite(each));
    if (letter === 'Z' || letter === 'z') {
      [x, y] = [startX, startY];
      return ['h'];
    }
    const kind = letter.toUpperCase();
    if (!['M', 'L', 'H', 'V'].includes(kind))
      throw new RangeError(`a figure has ${letter} in a path, which is not drawn in PDF`);
    const width = kind === 'H' || kind === 'V' ? 1 : 2;
    const [fromX, fromY] = letter === kind ? [() => 0, () => 0] : [() => x, () => y];
    return Array.from({ length: numbers.length / width }, (_, i) => {
      const [a = 0, b = 0] = numbers.slice(i * width);
      [x, y] = kind === 'V' ? [x, fromY() + a] : [fromX() + a, kind === 'H' ? y : fromY() + b];
      if (kind === 'M' && i === 0) [startX, startY] = [x, y];
      return `${point(x, y)} ${kind === 'M' && i === 0 ? 'm' : 'l'}`;
    });
  });
  return steps.join('\n');
}

function textOperators(element: SvgElement): readonly string[] {
  const { given, children } = element;
  const letters = winAnsi(children.join(''));
  const size = number(element, 'font-size', 16);
  const width = letters.reduce((sum, letter) => sum + (HELVETICA_WIDTHS[letter - 32] ?? 0), 0) * (size / 1_000);
  const part = numberOf({ start: 0, middle: 0.5, end: 1 }, given.get('text-anchor') ?? 'start');
  const lower = numberOf({ alphabetic: 0, central: CENTRAL }, given.get('dominant-baseline') ?? 'alphabetic');
  const place = point(number(element, 'x', 0) - part * width, number(element, 'y', 0) + lower * size);
  const colour = colourOf(given.get('fill') ?? '#000000');
  return colour === undefined
    ? []
    : [`BT /F ${decimal(size)} Tf ${colour} rg 1 0 0 -1 ${place} Tm ${textOf(letters)} Tj ET`];
}

/** A text of PDF. */
function textOf(letters: readonly number[]): string {
  return `(${letters.map((letter) => String.fromCharCode(letter).replace(/[()\\]/, '\\$&')).join('')})`;
}

/** Red, green and blue from 0 to 1; undefined for none. */
function colourOf(colour: string): string | undefined {
  if (colour === 'none') return undefined;
  if (!/^#[0-9a-f]{6}$/i.test(colour))
    throw new RangeError(`a figure has the colour ${colour}, which is not drawn in PDF`);
  return [1, 3, 5].map((at) => decimal(Number.parseInt(colour.slice(at, at + 2), 16) / 255)).join(' ');
}

function number({ name, given }: SvgElement, key: string, otherwise?: number): number {
  const text = given.get(key);
  if (text === undefined && otherwise === undefined) throw new RangeError(`a figure has <${name}> without ${key}`);
  return text === undefined ? (otherwise ?? 0) : finite(text);
}

function finite(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new RangeError(`a figure has ${text} in place of a number`);
  return value;
}

function numberOf(table: Readonly<Record<string, number>>, key: string): number {
  const value = table[key];
  if (value === undefined) throw new RangeError(`a figure has the value ${key}, which is not drawn in PDF`);
  return value;
}

function point(x: number, y: number): string {
  return `${decimal(x)} ${decimal(y)}`;
}

/** A number without an exponent, which PDF does not read. */
function decimal(value: number): string {
  return value
    .toFixed(3)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');
}
