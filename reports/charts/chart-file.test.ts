import { describe, expect, it } from 'vitest';
import { played, smallScenario } from '../../test/fixtures/small-scenario.js';
import { chartFile } from './chart-file.js';

const result = played(smallScenario([{ name: 'a-first' }, { name: 'b-second', count: 3 }]));

describe('a chart as a file', () => {
  it('is one whole SVG with its title and a key row for each population', () => {
    const svg = chartFile(result, 'fees_lamports') ?? '';
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
    expect(svg.match(/<svg /g)).toHaveLength(2);
    expect(svg).toContain('<title>Fees paid: small</title>');
    expect(svg).toContain('a-first: 0.074 SOL at the end');
    expect(svg).toContain('b-second: 0.222 SOL at the end');
    expect(svg).toBe(chartFile(result, 'fees_lamports'));
  });

  it('has one line where there is one population', () => {
    expect(chartFile(played(smallScenario([{}])), 'heartbeats')).toContain('all agents: 48 at the end');
  });

  it('has a line and a key row for each of many populations: the second of a colour is dashed', () => {
    const many = Array.from({ length: 10 }, (_, at) => ({ name: `group-${at}` }));
    const svg = chartFile(played(smallScenario(many)), 'fees_lamports') ?? '';
    expect(svg.match(/group-\d: [\d.]+ SOL at the end/g)).toHaveLength(10);
    expect(svg.match(/<path [^>]*stroke-dasharray/g)).toHaveLength(2);
  });

  it('is not there for what was not measured', () => {
    expect(chartFile(result, 'spawn_rate')).toBeUndefined();
  });
});
