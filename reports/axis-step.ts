/** The distance between two marks of an axis. Axes are drawn by charts.ts and interval-chart.ts. */

/** The step of 1, 2 or 5 times a power of ten that cuts a span into at most eight. */
export function axisStep(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 8));
  return [1, 2, 5].map((step) => step * power).find((step) => span / step <= 8) ?? 10 * power;
}
