import { expect, it } from 'vitest';
import { conformanceFixture } from '../test/fixtures/results.js';
import { withoutTranscript } from './conformance-result.js';

it('the transcript of a check is not read where it is left out', () => {
  const [check] = conformanceFixture().checks;
  if (check === undefined) throw new Error('there is no check');
  const lazy = Object.defineProperty({ ...check }, 'transcript', {
    enumerable: true,
    get: () => {
      throw new Error('the transcript is read');
    },
  });
  expect({ ...withoutTranscript(lazy) }).toEqual({ ...check, transcript: [] });
});
