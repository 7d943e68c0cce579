/** A value that a check needs and does not get: the reason that it ends with. */
import { describe, expect, it } from 'vitest';
import { Reply } from './reply.js';
import { Unjudged } from './unjudged.js';

function reasonFor(endpoint: 'register' | 'status', path: string): unknown {
  try {
    return new Reply('the call', 200, {}, '{}', endpoint).string(path);
  } catch (error) {
    if (error instanceof Unjudged) return error.because;
    throw error;
  }
}

describe('a value that is missing', () => {
  it('is a missing field where the text shows it, though a decision gives its form', () => {
    expect(reasonFor('register', 'nonce')).toEqual({ reason: 'needs nonce of the call, a string, and got nothing' });
  });

  it('is of a decision that is not followed where only that shows it', () => {
    expect(reasonFor('status', 'status')).toEqual({
      reason: 'needs status of the call, a string, and got nothing: D-19 is not followed',
      why: { kind: 'decision', of: 'D-19' },
    });
  });
});
