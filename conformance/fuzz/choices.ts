/**
 * The choices that the text leaves to a service: whether it permits the other outcome of a request, a refusal or an acceptance, in the state after a
 * sequence. The request is prepared and not sent; the model judges replies that a service could give.
 */

import type { Evidence } from '../../model/evidence.js';
import { judge } from '../../model/exchange.js';
import { fork, type State } from '../../model/facts/state.js';
import { type Call, type ReadReply, type Request, requestOf } from '../../model/reading/call.js';
import type { ClauseLevel } from '../../spec/clause.js';
import { clauseById } from '../../spec/clauses/index.js';
import { errorRows } from '../../spec/parts.js';
import type { WireRequest } from '../wire/transport.js';
import { beginAll, type Open, type Sequence } from './fuzz.js';
import type { Action } from './operation.js';
import { operationOf } from './operations/index.js';
import { Player } from './player.js';
import { Unplayable } from './requests.js';
import { Tally } from './tally.js';

/** The silence of the text about an outcome: decisions, by their ids, and questions in the words of the model. */
interface Silence {
  readonly decisions: readonly string[];
  readonly questions: readonly string[];
}

/** One reply that a service could give, with the clauses of the text that it breaks. */
interface PossibleReply extends Silence {
  readonly breaks: readonly string[];
}

/** A request that is possible after a sequence, and the replies that a service could give. */
export interface Choice {
  readonly action: Action;
  /** Method and path; undefined if the action sends no request that changes the service. */
  readonly endpoint: string | undefined;
  readonly refusals: readonly PossibleReply[];
  readonly acceptances: readonly PossibleReply[];
}

/** The first of several replies that the text permits, with the silence that does; undefined if it forbids all. `removed`: clauses that the text is read without. */
export function permitting(
  replies: readonly PossibleReply[],
  removed: ReadonlySet<string> = new Set(),
): PossibleReply | undefined {
  return replies.find(({ breaks }) => breaks.every((id) => removed.has(id)));
}

/** A request that is ready to be sent. */
class Prepared extends Error {
  constructor(readonly request: Request) {
    super('a request is prepared');
  }
}

/** The choices of a service after a sequence, one for each action. */
export async function choicesAfter(
  open: Open,
  sequence: Sequence,
  actions: readonly Action[],
): Promise<readonly Choice[]> {
  const subject = await open(sequence.set_up);
  const { target, send } = subject;
  const transport = async (request: WireRequest) => {
    const isOwn = request.url.startsWith(target.baseUrl) && request.method !== 'GET';
    if (isOwn && !request.url.endsWith('/work-proof')) throw new Prepared(request);
    return send(request);
  };
  try {
    const player = new Player(target, send, sequence.salt, new Tally());
    await beginAll(player, subject, sequence);
    const choices: Choice[] = [];
    for (const [nth, action] of actions.entries()) {
      const probe = new Player(target, transport, `${sequence.salt}:${nth}`, new Tally(), fork(player.state));
      probe.agents.push(...player.agents);
      probe.calls = player.calls;
      const request = await prepared(probe, action);
      choices.push({ action, ...repliesTo(probe.state, request) });
    }
    return choices;
  } finally {
    await subject.close();
  }
}

/** The request of an action; undefined if it sends none. */
async function prepared(player: Player, action: Action): Promise<Request | undefined> {
  try {
    await operationOf(action.op).run(player, action);
  } catch (error) {
    if (error instanceof Prepared) return error.request;
    if (!(error instanceof Unplayable)) throw error;
  }
  return undefined;
}

/** The replies to a request: each refusal of its endpoint, refusals without a code, and an acceptance. */
function repliesTo(state: State, request: Request | undefined): Omit<Choice, 'action'> {
  const call = request === undefined ? undefined : requestOf(state.settings, request);
  if (call === undefined || 'control' in call) return { endpoint: undefined, refusals: [], acceptances: [] };
  const rows = Object.entries(errorRows(state.settings.protocol)).filter(([key]) =>
    key.startsWith(`${call.endpoint.id}/`),
  );
  const refusals = [
    ...rows.map(([, { status, code }]) => ({ status, json: { error: 'refused', code } })),
    ...[409, 403, 400].map((status) => ({ status, json: { error: 'refused' } })),
  ];
  // Of an acceptance, only the reasons to refuse it count: its body is not known.
  return {
    endpoint: call.name,
    refusals: refusals.map((reply) => replyOf(state, call, reply, () => true)),
    acceptances: [replyOf(state, call, { status: 200, json: {} }, ({ cause }) => cause === 'effect')],
  };
}

function replyOf(state: State, call: Call, reply: ReadReply, counts: (evidence: Evidence) => boolean): PossibleReply {
  const { evidence, withheld } = judge(fork(state), call, reply);
  const against = evidence.filter((one) => !one.ok && counts(one));
  const of = (level: ClauseLevel): readonly string[] => [
    ...new Set(against.flatMap((one) => (one.level === level ? one.clauses : []))),
  ];
  return {
    breaks: of('must'),
    decisions: [...new Set(of('decision').flatMap((id) => clauseById(id).decision ?? []))].toSorted(),
    questions: [...new Set(withheld.map(({ reason }) => reason))].toSorted(),
  };
}
