/** The distance between two ticks of a chart's axis. Axes are drawn by charts.ts and interval-chart.ts. */

/** The least step of 1, 2 or 5 times a power of ten that cuts a span, above 0 and in any unit, into at most eight parts. */
export function axisStep(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 8));
  return [1, 2, 5].map((step) => step * power).find((step) => span / step <= 8) ?? 10 * power;
}
