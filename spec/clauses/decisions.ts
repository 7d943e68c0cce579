/** All clauses of level decision: what the decisions of spec/decisions.ts say that shows on the wire. */

import type { Clause } from '../clause.js';
import { ruleDecisionClauses } from './decisions-rules.js';
import { wireDecisionClauses } from './decisions-wire.js';

export const decisionClauses: readonly Clause[] = [...wireDecisionClauses, ...ruleDecisionClauses];
