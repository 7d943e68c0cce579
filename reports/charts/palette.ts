/** The colours of the charts, in a light and a dark theme. Which line gets which colour is decided in chart-plan.ts. */

/** The role of a colour in a chart. The theme decides the colour; the SVG itself holds the light one. */
export type Slot = (typeof PALETTE)[number]['slot'];

/**
 * The colours of the charts in both themes. The light values are distinct: the chart builder finds the elements of a slot by
 * them. Except grid and axis, they have a contrast of 3:1 to the background.
 */
export const PALETTE = [
  { slot: 'one', light: '#2f62d9', dark: '#7aa2ff' },
  { slot: 'two', light: '#c2570c', dark: '#ffa45c' },
  { slot: 'three', light: '#0b7d68', dark: '#4fd1b5' },
  { slot: 'four', light: '#8a3ab9', dark: '#cf9bf5' },
  { slot: 'five', light: '#b3261e', dark: '#ff8f86' },
  { slot: 'six', light: '#5f7a0c', dark: '#b7d35a' },
  { slot: 'seven', light: '#0a7ea4', dark: '#63cdf1' },
  { slot: 'eight', light: '#a8326f', dark: '#f78fc0' },
  { slot: 'good', light: '#1f8a4c', dark: '#4ecb85' },
  { slot: 'cold', light: '#3f83c5', dark: '#86bdf2' },
  { slot: 'warm', light: '#b87503', dark: '#f2b84b' },
  { slot: 'bad', light: '#c4302b', dark: '#ff7a72' },
  { slot: 'plain', light: '#77808f', dark: '#98a2b3' },
  { slot: 'text', light: '#4a5160', dark: '#b6bfcd' },
  { slot: 'grid', light: '#e3e6ec', dark: '#2c333f' },
  { slot: 'axis', light: '#a3abb9', dark: '#5b6473' },
] as const;

/** The slots for lines that mean nothing in particular, in their order. */
export const CATEGORIES: readonly Slot[] = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** The colour of a slot on a light background. */
export function lightOf(slot: Slot): string {
  return PALETTE.find((entry) => entry.slot === slot)?.light ?? '#000000';
}
