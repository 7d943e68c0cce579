// Three agents up to 12 steps.
import { it } from 'vitest';
import { expectJoined } from '../test/fixtures/symmetry.js';

it('symmetry joins states that differ in the order of children alone, and no others', () => expectJoined(12));
