/** Makes the SVG of ECharts the same for the same chart, and lets a page colour it. It draws nothing. */

import { PALETTE } from './palette.js';
import { shortPath } from './svg-path.js';

const SLOT_OF: ReadonlyMap<string, string> = new Map(PALETTE.map(({ light, slot }) => [light, slot]));
const TAG = /<[a-zA-Z/][^<>]*>/gu;
const NOISE = / (?:class|pointer-events|ecmeta_[a-z_]+|xmlns:xlink|xmlns|version|baseProfile|width|height)="[^"]*"/gu;
const ROOT_NOISE_KEPT = / (?:class|pointer-events|ecmeta_[a-z_]+)="[^"]*"/gu;

/**
 * ECharts' SVG made fit for a page: ids count from 0 under `prefix` (the renderer's go on counting within a process, so that the
 * same chart would differ from run to run), classes and style rules for a mouse are gone, paths are short, the size follows the page, and each
 * element in a colour of the palette has the class of its slot (`f-one` for fill, `s-one` for stroke), by which a dark page colours it.
 */
export function normalSvg(svg: string, prefix: string): string {
  const ids = new Map<string, string>();
  const idOf = (id: string): string => {
    const known = ids.get(id) ?? `${prefix}-${ids.size}`;
    ids.set(id, known);
    return known;
  };
  return withoutStyle(svg)
    .replace(TAG, (tag) => {
      const bare = tag.replace(tag.startsWith('<svg') ? NOISE : ROOT_NOISE_KEPT, '');
      const renamed = bare
        .replace(/ id="(?<id>[^"]*)"/u, (_, id: string) => ` id="${idOf(id)}"`)
        .replace(/url\(#(?<id>[^)]*)\)/gu, (_, id: string) => `url(#${idOf(id)})`)
        .replace(/ d="(?<path>[^"]*)"/u, (_, path: string) => ` d="${shortPath(path)}"`);
      return withSlots(renamed);
    })
    .replaceAll('\n', '');
}

function withoutStyle(svg: string): string {
  const start = svg.lastIndexOf('<style');
  const end = svg.lastIndexOf('</style>');
  return start < 0 || end < start ? svg : svg.slice(0, start) + svg.slice(end + '</style>'.length);
}

function withSlots(tag: string): string {
  const classes = [...tag.matchAll(/ (?<what>fill|stroke)="(?<colour>#[0-9a-f]{6})"/gu)].flatMap((match) => {
    const slot = SLOT_OF.get(match.groups?.['colour'] ?? '');
    return slot === undefined ? [] : [`${match.groups?.['what'] === 'fill' ? 'f' : 's'}-${slot}`];
  });
  return classes.length === 0 ? tag : tag.replace(/\/?>$/u, (end) => ` class="${classes.join(' ')}"${end}`);
}
