// Simulations against theory, where it has a closed form; theory.nightly has what takes longest.
import { describeTheories, quickTheories } from '../test/fixtures/theories.js';

describeTheories(quickTheories());
