// The scenarios of the library, but the largest, which library.nightly has.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectAnswered, large, library, names } from '../test/fixtures/library-scenarios.js';

describe('every scenario of the library', () => {
  it('has a counter-overlay of its name, and there are no others', () => {
    const counters = readdirSync(new URL('counter/', library)).map((file) => file.slice(0, -'.yaml'.length));
    expect(counters.toSorted()).toEqual(names.toSorted());
    expect(names.length).toBeGreaterThanOrEqual(12);
  });

  it.each(names.filter((name) => !large.includes(name)))(
    '%s: its answer holds, and does not under its counter-overlay',
    expectAnswered,
  );
});
