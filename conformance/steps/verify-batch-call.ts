/** Steps that verify agents in a batch, and what every agent that exists is there. Batches themselves are judged in the verify-batch checks. */
import type { FieldTest } from '../../model/reading/field-tests.js';
import type { Reply } from '../assertions/reply.js';
import type { Trial } from '../trial/trial.js';

/** POST /verify/batch for any values in place of hashes. */
export const send = (t: Trial, hashes: unknown): Promise<Reply> => t.call('verify-batch', { body: { hashes } });

/** 4.14: a batch finds an agent, whatever has become of it, and shows its SIGIL if it has bought one. */
export async function foundInBatch(t: Trial, hash: string, sigilName?: string): Promise<Reply> {
  const reply = t.accepted(await send(t, [hash]));
  const found = t.alsoShows('verify-batch.reply.found');
  found.field(reply, 'results.0.verified', true);
  t.alsoShows('verify-batch.reply.summary').field(reply, 'summary.verified', 1);
  if (sigilName !== undefined) found.fieldIs(reply, 'results.0.sigil', isNamed(sigilName));
  return reply;
}

/** A SIGIL of this name, in whatever form. */
export const isNamed = (name: string): FieldTest => ({
  words: `a SIGIL of the name ${name}`,
  holds: (value) => (JSON.stringify(value) ?? '').includes(name),
});
