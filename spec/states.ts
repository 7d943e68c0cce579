/**
 * Section 3 as data: the states of agents, keys, wallets, SIGILs, sponsorships and flags, and the moves between them. It is
 * read by rules about the specification; the reference has its own code for each move.
 */

import { deepFreeze } from './freeze.js';

/** The kinds of things whose states section 3 and the decisions define. */
type Subject = 'agent' | 'key' | 'wallet' | 'sigil' | 'sponsorship' | 'flag';

/** The causes of a move: the agent itself, a decision of another party, or time. */
type Mover = 'agent' | 'other' | 'time';

/** One state, and the endpoints that refuse an agent because of it. */
export interface State {
  readonly subject: Subject;
  readonly name: string;
  /** Keys of rows of spec/errors.ts. Empty: nothing is refused because of it. */
  readonly refuses: readonly string[];
  /** The clauses that speak of the state. */
  readonly clauses: readonly string[];
}

/** One move from a state to another. */
export interface Move {
  readonly subject: Subject;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly by: Mover;
  /** `spec` for a row of section 3, otherwise the decision that adds it. */
  readonly source: 'spec' | `D-${number}`;
  /** The move takes penalty beats. */
  readonly penalty?: true;
}

/** Every state in which something rests, in the order of section 3. */
export const states: readonly State[] = deepFreeze([
  { subject: 'agent', name: 'registered', refuses: [], clauses: ['init.transition.active'] },
  { subject: 'agent', name: 'active', refuses: [], clauses: ['init.transition.active'] },
  {
    subject: 'agent',
    name: 'frozen',
    refuses: [
      'heartbeat/AGENT_FROZEN',
      'spawn/AGENT_FROZEN',
      'beats-submit/AGENT_FROZEN',
      'sponsor/SPONSOR_PARENT_FROZEN',
    ],
    clauses: ['dms.freeze', 'dms.freeze.heartbeats'],
  },
  { subject: 'key', name: 'valid', refuses: [], clauses: [] },
  {
    subject: 'key',
    name: 'revoked',
    refuses: ['any/AUTH_MISSING'],
    clauses: ['key.agent.revoked', 'sponsor.transition.key-revoked'],
  },
  { subject: 'wallet', name: 'none', refuses: ['heartbeat/WALLET_REQUIRED'], clauses: ['wallet.state.none'] },
  {
    subject: 'wallet',
    name: 'linked',
    refuses: ['wallet/WALLET_ALREADY_LINKED'],
    clauses: ['wallet.transition.again'],
  },
  { subject: 'sigil', name: 'none', refuses: ['heartbeat/SIGIL_REQUIRED'], clauses: ['heartbeat.sigil.root'] },
  {
    subject: 'sigil',
    name: 'issued',
    refuses: ['sigil/SIGIL_ALREADY_EXISTS'],
    clauses: ['sigil.transition.again', 'sigil.immutable'],
  },
  { subject: 'sponsorship', name: 'none', refuses: [], clauses: [] },
  { subject: 'sponsorship', name: 'active', refuses: [], clauses: ['sponsor.transition.create'] },
  { subject: 'sponsorship', name: 'revoked', refuses: [], clauses: ['sponsor.transition.revoke'] },
  { subject: 'sponsorship', name: 'expired', refuses: [], clauses: [] },
  { subject: 'flag', name: 'none', refuses: [], clauses: [] },
  { subject: 'flag', name: 'pending', refuses: ['flag/FLAG_DUPLICATE'], clauses: ['flag.transition.pending'] },
  {
    subject: 'flag',
    name: 'sustained',
    refuses: ['heartbeat/HEARTBEAT_REFUSED'],
    clauses: ['flag.transition.sustained'],
  },
  { subject: 'flag', name: 'closed', refuses: [], clauses: [] },
] satisfies State[]);

/** Every move, in the order of section 3. */
export const moves: readonly Move[] = deepFreeze([
  { subject: 'agent', from: 'registered', to: 'active', trigger: 'POST /agent/init', by: 'agent', source: 'spec' },
  { subject: 'agent', from: 'active', to: 'frozen', trigger: "the Dead Man's Switch", by: 'time', source: 'spec' },
  {
    subject: 'agent',
    from: 'frozen',
    to: 'active',
    trigger: 'POST /agent/resync',
    by: 'agent',
    source: 'spec',
    penalty: true,
  },
  { subject: 'key', from: 'valid', to: 'revoked', trigger: 'a revocation', by: 'other', source: 'spec' },
  { subject: 'wallet', from: 'none', to: 'linked', trigger: 'POST /agent/wallet', by: 'agent', source: 'spec' },
  { subject: 'sigil', from: 'none', to: 'issued', trigger: 'POST /sigil', by: 'agent', source: 'spec' },
  { subject: 'sponsorship', from: 'none', to: 'active', trigger: 'POST /agent/sponsor', by: 'agent', source: 'spec' },
  {
    subject: 'sponsorship',
    from: 'active',
    to: 'revoked',
    trigger: 'DELETE /agent/sponsor',
    by: 'agent',
    source: 'spec',
  },
  {
    subject: 'sponsorship',
    from: 'active',
    to: 'revoked',
    trigger: "the Dead Man's Switch freezes the parent",
    by: 'time',
    source: 'spec',
  },
  {
    subject: 'sponsorship',
    from: 'active',
    to: 'revoked',
    trigger: "the Dead Man's Switch freezes the child",
    by: 'time',
    source: 'spec',
  },
  {
    subject: 'sponsorship',
    from: 'active',
    to: 'revoked',
    trigger: "the child's key is revoked",
    by: 'other',
    source: 'spec',
  },
  { subject: 'sponsorship', from: 'active', to: 'expired', trigger: 'expires_at', by: 'time', source: 'D-30' },
  {
    subject: 'sponsorship',
    from: 'revoked',
    to: 'active',
    trigger: 'POST /agent/sponsor',
    by: 'agent',
    source: 'D-30',
  },
  {
    subject: 'sponsorship',
    from: 'expired',
    to: 'active',
    trigger: 'POST /agent/sponsor',
    by: 'agent',
    source: 'D-30',
  },
  { subject: 'flag', from: 'none', to: 'pending', trigger: 'POST /agent/flag', by: 'other', source: 'spec' },
  { subject: 'flag', from: 'pending', to: 'sustained', trigger: 'a review sustains it', by: 'other', source: 'spec' },
  { subject: 'flag', from: 'pending', to: 'closed', trigger: 'a review dismisses it', by: 'other', source: 'D-36' },
  { subject: 'flag', from: 'sustained', to: 'closed', trigger: 'a review resolves it', by: 'other', source: 'D-36' },
] satisfies Move[]);
