import { expect, it } from 'vitest';
import { sensitivityText } from './sensitivity-console.js';

it('prints the strongest factor first, with intervals', () => {
  const effects = [
    { factor: 'a.b', first: 0.1, first95: [0, 0.2] as const, total: 0.25, total95: [0.1, 0.3] as const },
    { factor: 'c', first: 0.5, first95: [0.4, 0.6] as const, total: 0.75, total95: [0.7, 0.8] as const },
  ];
  expect(sensitivityText('try: What?', [{ measure: 'freezes', effects }])).toBe(
    [
      'try: What?',
      '',
      'freezes',
      '  c    first 0.5 (95 %: 0.4 to 0.6), total 0.75 (95 %: 0.7 to 0.8)',
      '  a.b  first 0.1 (95 %: 0 to 0.2), total 0.25 (95 %: 0.1 to 0.3)',
      '',
    ].join('\n'),
  );
});
