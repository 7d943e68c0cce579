// The programs of the site's pages are run as they are. snippets.nightly has Go, which takes long to compile.
import { it } from 'vitest';
import { expectSent } from './fixtures/snippet-runs.js';

it.each(['curl', 'JavaScript', 'Python'])('%s sends what was recorded and prints the reply', expectSent);
