/**
 * The differences between the in-process model and a live server, in sentences for the manifest. docs/model.md
 * describes the model.
 */

/** One sentence or two for each difference. */
export const MODEL_NOTES: readonly string[] = [
  'Time advances in whole seconds. An anchor is issued before agents act in the same second, and on time unless a fault stalls anchors.',
  'Calls reach the rules directly: no HTTP, no keys, no rate limits except the circuit breaker of complaints, no delay between agent and service.',
  'A fee is checked and paid in one step. The transaction of a refused call would stay unused and pay the next call (D-27), so a refusal costs nothing. Transfers cost no chain fee and are confirmed at once.',
  'Work proofs are not computed: beats × (difficulty + 1) hashes take protocol time at the hash rate of the agent, at the lowest difficulty that is taken unless the scenario names another, and the receipt counts as genuine. A proof that outlives its anchor (D-06, D-09) is not modelled.',
  'Lineage hashes are not folded and passports are not signed (D-14, D-11).',
  'An agent starts its chain in the second in which it registers. A root has a Solana wallet of its own and buys its SIGIL then; a child has a wallet or a sponsor.',
  'An agent sends no heartbeat that its wallet cannot pay for, and waits for a top-up. A top-up counts when the agent next looks at its wallet.',
  'After VOLUME_CAP_REACHED an agent waits for the next billing epoch, after HEARTBEAT_TOO_SOON for the beat that the reply names. A frozen agent learns of it when its next heartbeat is refused.',
];
