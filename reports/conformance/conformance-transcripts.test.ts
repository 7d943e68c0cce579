import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cleanConformance, conformanceFixture, emptyConformance } from '../../test/fixtures/results.js';
import { conformanceJson, parseConformanceJson } from './conformance-json.js';
import { apartTranscripts, withTranscripts } from './conformance-transcripts.js';

describe('transcripts apart', () => {
  it.each([
    ['some pass', conformanceFixture()],
    ['all pass', cleanConformance()],
    ['there is none', emptyConformance()],
  ])('and back are the result as it was: %s', (_, result) => {
    const { result: small, file } = apartTranscripts(result);
    const read = parseConformanceJson(conformanceJson(small), 'conformance.json');
    if (!read.ok) throw new Error(read.problems[0]?.message);
    expect(withTranscripts(read.value, file)).toEqual(result);
  });

  it('are a line for each check that passed and sent something; all others stay where they were', () => {
    const result = conformanceFixture();
    const { result: small, file } = apartTranscripts(result);
    const lines = gunzipSync(file).toString('utf8').split('\n');
    expect(lines.pop()).toBe('');
    const passed = result.checks.filter(({ verdict, transcript }) => verdict === 'pass' && transcript.length > 0);
    expect(passed.length).toBeGreaterThan(0);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      passed.map(({ id, transcript }) => ({ check: id, transcript })),
    );
    expect(small.transcripts).toBe('transcripts.ndjson.gz');
    const others = result.checks.filter(({ verdict }) => verdict !== 'pass');
    expect(small.checks.filter(({ verdict }) => verdict !== 'pass')).toEqual(others);
    expect(others.some(({ transcript }) => transcript.length > 0)).toBe(true);
  });
});
