/** Chooses the samples of long lines to draw, without losing a peak. The data files keep all samples. */

/**
 * The samples to draw of lines over one axis: all of them, or at most about `max`. Time is cut into equal buckets, of which each
 * line keeps its least and its greatest sample, so that no peak is lost; the first and last sample always stay. Every line gets
 * the same samples, so that they can be stacked. The same input gives the same samples.
 */
export function thinned(length: number, lines: readonly (readonly number[])[], max: number): readonly number[] {
  if (length <= max) return Array.from({ length }, (_, row) => row);
  const buckets = Math.max(1, Math.floor((max - 2) / (2 * Math.max(1, lines.length))));
  const kept = new Set([0, length - 1]);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = Math.floor((bucket * length) / buckets);
    const end = Math.floor(((bucket + 1) * length) / buckets);
    for (const line of lines) {
      for (const row of extremes(line, start, end)) kept.add(row);
    }
  }
  return [...kept].sort((a, b) => a - b);
}

function extremes(line: readonly number[], start: number, end: number): readonly [least: number, greatest: number] {
  let least = start;
  let greatest = start;
  for (let row = start + 1; row < end; row++) {
    const value = line[row] ?? Number.NaN;
    if (value < (line[least] ?? Number.POSITIVE_INFINITY)) least = row;
    if (value > (line[greatest] ?? Number.NEGATIVE_INFINITY)) greatest = row;
  }
  return [least, greatest];
}
