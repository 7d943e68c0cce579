/** Steps that verify agents in a batch, and what every agent that exists is there. Batches themselves are judged in the verify-batch checks. */
import { sameWhereBoth, show } from '../../model/reading/compare.js';
import type { FieldTest } from '../../model/reading/field-tests.js';
import { at } from '../../model/reading/values.js';
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

/** The clauses of a batch that is compared with the lookup of one agent. */
export const AS_VERIFY = ['verify-batch.reply.found', 'verify.purpose'] as const;

/** The facts that both show about an agent by D-20, under 4.14's names. How each writes a SIGIL, a lineage or a root is open. */
const OF_BOTH = [
  'standing',
  ...['hash', 'name', 'type', 'depth', 'parent', 'wallet'].map((field) => `agent.${field}`),
  ...['sigil', 'sigil_name', 'principal', 'tier', 'identity_class'].map((field) => `sigil.${field}`),
  ...['total_heartbeats', 'latest_beat', 'status'].map((field) => `beat_state.${field}`),
  'lineage',
  'root',
];

/** 4.14: a batch and the lookup of one agent say the same of it, wherever both say something: else one of the two is wrong. */
export async function batchAsVerify(t: Trial, hash: string): Promise<void> {
  const batch = await foundInBatch(t, hash);
  const alone = await t.call('verify', { params: { hash }, mayMiss: true });
  if (alone.status >= 300) return;
  const result = batch.get('results.0');
  for (const path of OF_BOTH) {
    const [shown, wanted] = [at(result, path), at(alone.json, path)];
    const same = sameWhereBoth(shown, wanted);
    t.alsoShows(...AS_VERIFY).of(batch, `${path} of a result`, same, `as verify shows it: ${show(wanted)}`, shown);
  }
}
