// Arguments that `aips serve ledger` refuses, each with what to do.
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';

describe('aips serve ledger', () => {
  it.each([
    [['--clock', 'fast'], '--clock must be wall, manual, or a speed such as 60x'],
    [['--seed', '-1'], '--seed must be a whole number'],
    [['--port', '99999'], '--port must be a port'],
    [['--host', '203.0.113.1'], '--host: this machine has no such address'],
    [['--data', 'x'], 'Unknown argument: data'],
  ])('%j is refused with what to do', async (flags, message) => {
    const { status, stderr } = await aips(tmpdir(), 'serve', 'ledger', ...flags);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});
