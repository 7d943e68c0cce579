// The programs of the site's pages in Go, which are compiled.
import { it } from 'vitest';
import { expectSent } from './fixtures/snippet-runs.js';

it('Go sends what was recorded and prints the reply', () => expectSent('Go'));
