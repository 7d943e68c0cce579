/** The areas of counts that add up to a whole, on top of each other: one path for each layer. It chooses no colour. */

/** The paths of layers from the bottom up, `height` high where their sum is greatest. `x`: the place of each moment. */
export function areaPaths(
  x: readonly number[],
  layers: readonly (readonly number[])[],
  height: number,
): readonly string[] {
  const edges = [x.map(() => 0)];
  for (const layer of layers) edges.push(x.map((_, at) => (edges.at(-1)?.[at] ?? 0) + (layer[at] ?? 0)));
  const most = (edges.at(-1) ?? []).reduce((best, each) => Math.max(best, each), 1);
  const points = edges.map((edge) =>
    edge.map((sum, at) => `${(x[at] ?? 0).toFixed(1)},${(height - (sum / most) * height).toFixed(1)}`),
  );
  return layers.map((_, at) => `M${[...(points[at + 1] ?? []), ...(points[at] ?? []).toReversed()].join('L')}Z`);
}
