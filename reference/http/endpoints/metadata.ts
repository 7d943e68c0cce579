/**
 * Handler of PATCH /agent/metadata (4.11). Which fields are mutable is stated in spec/ and applied in
 * registry/metadata.ts.
 */

import { metadata } from '../../../spec/endpoints/index.js';
import { setMetadata } from '../../registry/metadata.js';
import { sigilView } from '../../registry/verify.js';
import { reply, route } from '../request/route.js';

export const metadataRoute = route(metadata, ({ registry, agent, body }) => {
  const done = setMetadata(registry, { agent, fields: body });
  if (!done.ok) return done;
  const sigil = sigilView(registry, agent)?.sigil;
  return reply({ ok: true, sigil, generation: done.generation, updated_fields: done.updated });
});
