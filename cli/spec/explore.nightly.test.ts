// `aips spec explore CHANGE`: changes of the other kinds than the trap of explore.slow.
import { it } from 'vitest';
import { expectShown, type Shown } from '../../test/fixtures/shown-change.js';

it.each<Shown>([
  ['heartbeat: { intervalBeatsMin: 0 }', 'dead', 'dead: heartbeat/HEARTBEAT_TOO_SOON'],
  ['resync: { beatsPerMissedAnchor: 0 }', 'price', 'price: child, frozen'],
])('%s: shows a %s', (...shown) => expectShown(shown));
