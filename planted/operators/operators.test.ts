import { describe, expect, it } from 'vitest';
import { generatedIn, withGenerated, withSwitches } from './operators.js';

const text =
  "export function f(a, b) {\n  b.set(a);\n  if (a.x > 3) return refuse('x/A', a.y);\n  return refuse('x/B', g(a.x, b));\n}\n";

describe('operators', () => {
  it('remove statements, and exchange constants, fields, texts and arguments', () => {
    const made = generatedIn(text).map(({ mutatorName, replacement }) => `${mutatorName} ${replacement}`.trim());
    expect(made).toEqual([
      'StatementRemoval',
      'Field a.y',
      'Constant 4',
      'Text refuse("x/B", a.y)',
      'Field a.x',
      'Text refuse("x/A", g(a.x, b))',
      'Arguments g(b, a.x)',
      'Field a.y',
    ]);
  });

  it('make a module with one of them, or with all behind switches of which none is on', () => {
    expect(withGenerated(text, 0)).not.toContain('b.set');
    const switched = withSwitches(text, text, 10);
    const ids = [...switched.matchAll(/stryMutAct_9fa48\("(\d+)"\)/g)].map(([, id]) => Number(id));
    expect(ids.toSorted((a, b) => a - b)).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
  });
});
