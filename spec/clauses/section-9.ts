/** The clauses of section 9: versioning. */

import type { Clause } from '../clause.js';
import { musts } from './rows.js';

/** Section 9: versions and what is deprecated. */
export const section9: readonly Clause[] = musts('9', {
  'versioning.path': 'Every path carries the version segment /api/v1.',
  'versioning.passport.format': 'Passports are of format_version 1, which fixes the canonical field order.',
  'versioning.added.heartbeat': ['The heartbeat is marked as added in v0.9.0.', 'a note of history'],
  'versioning.added.reissue-proof': ['The reissue is marked as added in v0.9.0.', 'a note of history'],
  'versioning.lineage-proof': 'lineage_proof is a deprecated alias of passport and is removed after 2026-09-01.',
  'versioning.checkin': 'The check-in is retired with 410, and the heartbeat replaces it.',
  'versioning.preview': [
    'The interfaces of the preview may change and its data may reset.',
    'it permits something and requires nothing',
  ],
});
