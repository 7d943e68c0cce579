// The shell blocks of the documents that take long.
import { it } from 'vitest';
import { blocksFor, expectRuns } from './fixtures/document-desk.js';

it.concurrent.each(blocksFor('night').map(({ path, first, block }) => [path, first, block] as const))(
  '%s: %s',
  (_path, _first, block) => expectRuns(block),
);
