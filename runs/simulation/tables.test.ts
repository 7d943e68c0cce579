import { describe, expect, it } from 'vitest';
import { seriesColumns, seriesRows } from '../../reports/simulation/series-rows.js';
import { played, smallScenario } from '../../test/fixtures/small-scenario.js';

describe('tables', () => {
  const rowsOf = (parts: Parameters<typeof smallScenario>[0]) =>
    [...seriesRows(played(smallScenario(parts, { measures: { everySec: 86_400, names: ['heartbeats'] } })))].filter(
      ({ time_ms: ms }) => ms === 86_400_000,
    );
  const kindOf = seriesColumns.find(({ name }) => name === 'group_kind')?.cell;

  it('have the rows of each class and population, of a single one too, and its kind', () => {
    expect(rowsOf([{}]).map((row) => [row.population, kindOf?.(row), row.value])).toEqual([
      [null, null, 48],
      ['narrow_task', 'class', 48],
      ['agents', 'population', 48],
    ]);
    const mixed = rowsOf([
      { count: 2 },
      { name: 'others', count: 3, classes: { narrow_task: 0.5, autonomous: 0.5, orchestrator: 0 } },
    ]);
    const sums = ['class', 'population', null].map((kind) =>
      mixed.filter((row) => kindOf?.(row) === kind).reduce((sum, { value }) => sum + (value ?? 0), 0),
    );
    expect(sums).toEqual([5 * 48, 5 * 48, 5 * 48]);
  });
});
