import { describe, expect, it } from 'vitest';
import { conformanceFixture, lackingConformance } from '../../test/fixtures/results.js';
import { lackingEndpoints, unsupportedLine } from './not-served.js';

describe('endpoints that are not there', () => {
  const result = lackingConformance();

  it('are listed with the answer, and with what waits for them', () => {
    expect(lackingEndpoints(result)).toEqual([
      {
        endpoint: 'status',
        name: 'GET /api/v1/status/:hash',
        section: '4.1',
        status: '404',
        note: '1 check and 1 must clause wait for it',
      },
    ]);
    expect(lackingEndpoints(conformanceFixture())).toEqual([]);
  });

  it('say so where a baseline excuses them', () => {
    const known = { reason: 'later', expires: '2026-12-31' };
    const findings = result.findings.map((finding) => ({ ...finding, known }));
    expect(lackingEndpoints({ ...result, findings })[0]?.note).toBe(
      '1 check and 1 must clause wait for it, known until 2026-12-31: later',
    );
  });

  it('can be declared by the word of all that has it', () => {
    expect(unsupportedLine(result)).toBe('unsupported: [status]');
    const half = { endpoint: 'sponsor.post', method: 'POST', path: '/x', section: '4.13', stem: 'sponsor', checks: 0 };
    expect(unsupportedLine({ not_served: [half] })).toBeUndefined();
    expect(unsupportedLine({})).toBeUndefined();
  });
});
