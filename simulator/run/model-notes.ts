/** What the in-process model leaves out or does otherwise than a live server, for the manifest. */
export const MODEL_NOTES: readonly string[] = [
  'Time goes in whole seconds; an anchor comes before whatever agents do in the same second, and no anchor is late unless a fault of the scenario stalls them.',
  'Calls reach the rules directly: no HTTP, no keys, no rate limits but the circuit breaker of complaints, no delay between an agent and the service.',
  'A fee is checked and paid in one step: a transaction of a refused call would stay unused and pay the next one (D-27), so a refusal costs nothing. Transfers cost no fee of the chain and are confirmed at once.',
  'Work proofs are not computed: beats × (difficulty + 1) hashes at the hash rate of the agent pass as protocol time, and the receipt is taken as genuine. That a slow proof outlives its anchor (D-06, D-09) is not modelled.',
  'Lineage hashes are not folded and passports are not signed (D-14, D-11).',
  'An agent starts its chain in the second in which it registers; a root has a Solana wallet of its own and buys its SIGIL then, a child has a wallet or a sponsor.',
  'An agent sends no heartbeat that its wallet cannot pay for, and waits for a top-up; money that was sent shows in the wallet when the agent next looks.',
  'After VOLUME_CAP_REACHED an agent waits for the next billing epoch; after HEARTBEAT_TOO_SOON for the beat that the reply names; a frozen agent learns of it when its next heartbeat is refused.',
];
