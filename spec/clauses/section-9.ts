/** The clauses of section 9: versioning, and what is deprecated. */

import type { Clause } from '../clause.js';
import { musts, says } from './rows.js';

/** Section 9: versions and what is deprecated. */
export const section9: readonly Clause[] = [
  ...musts('9', 'item 1', {
    'versioning.path': 'Every path carries the version segment /api/v1.',
  }),
  ...musts('9', 'item 2', {
    'versioning.passport.format': 'Passports are of format_version 1, which fixes the canonical field order.',
  }),
  ...musts('9', 'item 3', {
    'versioning.added.heartbeat': ['The heartbeat is marked as added in v0.9.0.', 'a note of history'],
    'versioning.added.reissue-proof': ['The reissue is marked as added in v0.9.0.', 'a note of history'],
  }),
  ...musts('9', 'item 4', {
    'versioning.lineage-proof': 'lineage_proof is a deprecated alias of passport and is removed after 2026-09-01.',
  }),
  ...musts('9', 'item 5', {
    'versioning.checkin': says('The check-in is retired with 410, and the heartbeat replaces it.', { status: 410 }),
  }),
  ...musts('9', 'item 6', {
    'versioning.preview': [
      'The interfaces of the preview may change and its data may reset.',
      'it permits something and requires nothing',
    ],
  }),
];
