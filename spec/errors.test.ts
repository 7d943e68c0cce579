import { describe, expect, it } from 'vitest';
import { decisions } from './decisions.js';
import { type ErrorKey, errors } from './errors.js';
import { errorsMarkdown } from './print-errors.js';

/** Section 7, row by row. A null code: the row names none. A 401 of a bad agent key is everyone's, under `any`. */
const section7: readonly (readonly [endpoints: string, status: number, codes: string | null])[] = [
  ['heartbeat', 400, 'PAYMENT_REQUIRED'],
  ['heartbeat, sigil, reissue-proof', 400, 'PAYMENT_INVALID'],
  ['heartbeat', 400, 'PAYMENT_SENDER_MISMATCH'],
  ['heartbeat', 403, 'SIGIL_REQUIRED'],
  ['heartbeat, sigil', 403, 'WALLET_REQUIRED'],
  ['heartbeat', 403, 'SPONSOR_PARENT_FROZEN'],
  ['heartbeat', 409, 'PAYMENT_ALREADY_USED'],
  ['heartbeat', 429, 'HEARTBEAT_TOO_SOON'],
  ['heartbeat', 429, 'VOLUME_CAP_REACHED'],
  ['heartbeat', 429, 'SPONSOR_CAP_REACHED'],
  ['sigil', 400, 'VALIDATION'],
  ['sigil', 409, 'SIGIL_ALREADY_EXISTS'],
  ['spawn', 402, 'RECEIPT_REQUIRED'],
  ['spawn', 400, 'INSUFFICIENT_BEATS'],
  ['spawn', 400, 'VALIDATION'],
  ['spawn', 409, 'SPAWN_CONFLICT'],
  ['resync', 409, 'AGENT_WRONG_STATE'],
  ['resync', 402, 'RECEIPT_REQUIRED'],
  ['resync', 402, 'INVALID_RECEIPT'],
  ['sponsor', 403, 'SPONSOR_NOT_ANCESTOR'],
  ['sponsor', 400, 'SPONSOR_INVALID'],
  ['sponsor', 400, 'VALIDATION'],
  ['sponsor', 403, 'WALLET_REQUIRED'],
  ['sponsor', 403, 'SPONSOR_PARENT_FROZEN'],
  ['sponsor', 404, 'AGENT_NOT_FOUND'],
  ['sponsor', 404, 'SPONSOR_NOT_FOUND'],
  ['flag', 400, 'VALIDATION'],
  ['flag', 400, 'FLAG_SELF'],
  ['flag', 403, 'FLAG_REPORTER_INELIGIBLE'],
  ['flag', 404, 'FLAG_TARGET_NOT_FOUND'],
  ['flag', 409, 'FLAG_DUPLICATE'],
  ['verify-batch', 400, 'INVALID_INPUT'],
  ['verify-batch', 400, 'BATCH_TOO_LARGE'],
  ['verify-batch', 400, 'INVALID_HASH'],
  ['subsidy', 400, 'SUBSIDY_INVALID'],
  ['subsidy', 401, 'AUTH_MISSING, AUTH_INVALID'],
  ['subsidy', 404, 'AGENT_NOT_FOUND, SUBSIDY_NOT_FOUND'],
  ['partner-webhook', 400, 'WEBHOOK_INVALID'],
  ['partner-webhook', 401, 'AUTH_MISSING'],
  ['partner-webhook', 403, 'AUTH_FORBIDDEN'],
  ['register-token', 415, 'CONTENT_TYPE_REQUIRED'],
  ['wallet', 400, null],
  ['wallet', 404, null],
  ['wallet', 409, null],
  ['metadata', 400, null],
  ['metadata', 403, null],
  ['metadata', 404, null],
  ['any', 401, 'AUTH_MISSING'],
  ['any', 429, 'RATE_LIMITED'],
  ['checkin', 410, null],
];

const rows = Object.values(errors);
const list = (text: string): string[] => text.split(', ');
const stated = section7.flatMap(([endpoints, status, codes]) =>
  list(endpoints).flatMap((endpoint) =>
    codes === null ? [] : list(codes).map((code) => ({ key: `${endpoint}/${code}` as ErrorKey, status })),
  ),
);
const codeless = section7.filter(([, , codes]) => codes === null);

/** Rows that decisions give, and not section 7. */
const decided = Object.entries(errors).filter(([, { source }]) => source !== 'spec');

describe('errors', () => {
  it.each(stated)('of section 7: $key is $status', ({ key, status }) => {
    expect(errors[key]).toMatchObject({ status, code: key.split('/')[1], source: 'spec', codeBinds: true });
  });

  it.each(codeless)('of section 7 without a code: %s %d', (endpoint, status) => {
    const found = rows.filter((row) => row.endpoint === endpoint && row.status === status && row.source === 'spec');
    expect(found.length).toBeGreaterThan(0);
    expect(found.map((row) => row.codeBinds)).toEqual(found.map(() => false));
  });

  it.each(decided)(
    'of decisions: %s stands in the text of its decision',
    (_key, { source, status, code, codeBinds }) => {
      // A decision may give the status alone.
      expect(decisions.find(({ id }) => id === source)?.does).toMatch(new RegExp(`\\b(${code}|${status})\\b`));
      expect(codeBinds).toBe(false);
    },
  );

  it('hold no row of section 7 that the text has not', () => {
    const known = new Set<string>(stated.map(({ key }) => key));
    const others = rows.filter(({ source, endpoint, code }) => source === 'spec' && !known.has(`${endpoint}/${code}`));
    const isCodeless = (row: (typeof rows)[number]): boolean =>
      codeless.some(([name, status]) => name === row.endpoint && status === row.status);
    expect(others.filter((row) => !isCodeless(row))).toEqual([]);
  });

  it('are keyed by endpoint and code, with a cause, and cite decisions that exist', () => {
    const ids = new Set<string>(decisions.map(({ id }) => id));
    for (const [key, row] of Object.entries(errors)) {
      expect(key).toBe(`${row.endpoint}/${row.code}`);
      expect(row.cause).not.toBe('');
      expect(row.source === 'spec' || ids.has(row.source)).toBe(true);
    }
  });

  it('cannot be changed', () => {
    expect(() => Object.assign(errors['any/RATE_LIMITED'], { status: 503 })).toThrow(TypeError);
    expect(() => Object.assign(errors, { extra: errors['any/RATE_LIMITED'] })).toThrow(TypeError);
  });
});

describe('errorsMarkdown', () => {
  const lines = errorsMarkdown().split('\n');

  it('says first how it is made', () => {
    expect(lines[0]).toContain('npm run docs');
  });

  it('has a table for each endpoint that refuses, and a line for each row', () => {
    expect(lines.filter((line) => line.startsWith('## ')).length).toBe(new Set(rows.map((row) => row.endpoint)).size);
    expect(lines.filter((line) => /^\| \d/.test(line)).length).toBe(rows.length);
    expect(lines.filter((line) => line.startsWith('| ')).every((line) => line.split(' | ').length === 5)).toBe(true);
  });

  it('numbers the rows of an endpoint, and stars a code that is not binding', () => {
    const wallet = lines.slice(lines.indexOf('## wallet'));
    expect(wallet[4]).toBe('| 1 | 404 | `AGENT_NOT_FOUND`* | the agent does not exist | spec |');
    expect(wallet[6]).toBe('| 3 | 400 | `VALIDATION` | the body is neither a challenge nor a finalize call | D-55 |');
    expect(lines).toContain('| 2 | 400 | `BATCH_TOO_LARGE` | more hashes than one call takes | spec |');
  });

  it('ends with one line break', () => {
    expect(errorsMarkdown()).toMatch(/[^\n]\n$/);
  });
});
