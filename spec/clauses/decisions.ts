import type { Clause } from '../clause.js';
import { ruleDecisionClauses } from './decisions-rules.js';
import { wireDecisionClauses } from './decisions-wire.js';

/** What the decisions say where the specification is silent, as far as it shows on the wire. */
export const decisionClauses: readonly Clause[] = [...wireDecisionClauses, ...ruleDecisionClauses];
