// The search finds sections by their numbers, and clauses by the names of the numbers that they state.
import { expect, it } from 'vitest';
import { startLab } from './lab.js';
import type { Found } from './search-actions.js';

it('finds the section of a number and the clauses of a named number', async () => {
  const onError = (error: unknown): void => {
    throw error;
  };
  const lab = await startLab({ port: 0, seed: 1, assets: new Map(), onError });
  try {
    const found = (text: string): readonly string[] => {
      const answer = lab.actions.find(({ path }) => path === 'search')?.run({ text }) as { found: readonly Found[] };
      return answer.found.map(({ kind, id }) => `${kind} ${id}`);
    };
    expect(found('intervalBeatsMin')).toContain('clause heartbeat.interval.min');
    expect(found('4.5')[0]).toBe('section 4.5');
  } finally {
    await lab.close();
  }
});
