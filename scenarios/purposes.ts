/** The purpose of each key and each kind in a scenario file: the descriptions of its JSON Schema, which editors show. Forms of values are in the schema. */

type Node = Readonly<Record<string, unknown>>;

/** By the end of the path, without places in lists; the longest end that has a row counts. A kind has the path of its key, then its own name. */
export const PURPOSES: Readonly<Record<string, string>> = {
  format: 'the format version of this file',
  name: 'its name in results',
  question: 'what the run answers',
  description: 'what the run shows, for readers',
  seed: 'the seed of all random draws',
  duration: 'how much protocol time is played',
  protocol: 'numbers of the protocol that are others from the start',
  traces: 'measured durations by name',
  'traces.file': 'a CSV or Parquet file with seconds',
  'traces.column': 'its column',
  'traces.values': 'seconds, in place of a file',
  trace: 'the name of a trace of this file',
  populations: 'agents that behave alike',
  'populations.name': 'its name, also the principal of its SIGILs',
  count: 'how many agents it has',
  class: 'the identity class of its agents, or shares of classes',
  'class.narrow_task': 'the share of agents of this class',
  'class.autonomous': 'the share of agents of this class',
  'class.orchestrator': 'the share of agents of this class',
  arrivals: 'when its agents register',
  pattern: 'the kind of arrivals',
  'pattern.at': 'all at one time',
  'pattern.uniform': 'evenly over a time',
  'pattern.poisson': 'at random, at a rate',
  'pattern.trace': 'at measured times',
  'pattern.spawned': 'as children of another population',
  time: 'when they register',
  from: 'when it begins',
  over: 'how long it takes until all have registered',
  rate: 'how many register in a time',
  heartbeat: 'when an agent sends heartbeats',
  policy: 'the kind of behaviour',
  'policy.interval': 'one each interval',
  'policy.keep_alive': 'one just before the agent would freeze',
  'policy.daily': 'one each interval in some hours of the day; else just before it would freeze',
  'policy.budget': 'as often as a sum for each day pays for',
  'policy.thrifty': 'one each interval while that pays off; else just before it would freeze',
  'policy.elastic': 'the seldomer, the more the next one costs',
  'policy.straddle': 'one each interval in some epochs, for the cheap tiers; else just before it would freeze',
  'policy.on_demand': 'some for a time, then none until the next time',
  'policy.trace': 'after waits as measured',
  'policy.spam': 'one each interval, whatever the service answers',
  'policy.own': 'as code of your own decides',
  'heartbeat.every': 'the time from one to the next',
  'heartbeat.for': 'how long it sends some each time',
  'heartbeat.at': 'the fee at which the time from one to the next is every',
  elasticity: 'the power of fee / at by which the time from one to the next is multiplied',
  shortest: 'the shortest time from one to the next',
  longest: 'the longest time from one to the next; absent: 20 years',
  jitter: 'the share of the interval by which it varies',
  margin: 'how long before the freeze it is sent',
  spread: 'how much earlier it is sent at most, at random',
  per_day: 'the sum for a day',
  worth: 'what a heartbeat is worth to the agent',
  turns: 'one epoch of so many is such an epoch',
  beat: 'the time from one heartbeat to the next while it is used',
  behaviour: 'the name of the behaviour in the module',
  options: 'what the behaviour is given',
  budget: 'the money of an agent',
  wallet: 'what a wallet holds at first',
  top_up: 'money that is sent when a wallet runs low',
  below: 'what a wallet then holds less than',
  amount: 'how much is sent',
  after: 'how long it is under way',
  times: 'how often it is sent at most; absent: always',
  hash_rate: 'how fast an agent computes',
  difficulty: 'the hashes of a beat that an agent computes',
  outages: 'an agent is cut off at times, alone',
  up: 'the time from one outage to the next',
  down: 'how long an outage lasts',
  count_ends_growth: 'allows that its count ends its growth',
  resync: 'whether a frozen agent comes back',
  sigil: 'when an agent buys its SIGIL',
  lifetime: 'after what time an agent leaves; absent: never',
  reissue: 'an agent has its passport reissued',
  'reissue.every': 'the time from one reissue to the next',
  free: 'by the way without a fee',
  spawning: 'an agent makes children',
  into: 'the population of the children',
  'spawning.every': 'the time from one child to the next',
  children_max: 'how many children an agent has at most',
  depth_max: 'the greatest depth of a child',
  beats_max: 'the highest price of a child, in beats, that an agent pays',
  sponsor: 'an agent pays heartbeats of its children',
  cap: 'how many heartbeats of a child it pays in an epoch',
  expires: 'after what time that ends; absent: never',
  renew: 'whether it is then made again',
  answer: 'after what time a sponsor answers',
  generations: 'how many generations it pays for',
  flagging: 'an agent files complaints',
  'flagging.every': 'the time from one complaint to the next',
  targets: 'the population that is complained of',
  asserts: 'the class that a complaint asserts',
  misbehaves: 'whether complaints about its agents are right',
  forges: 'whether an agent computes only the beats that are checked',
  economics: 'income of an agent, and the price of work',
  live_day: 'the income of a day in which it is not frozen',
  'economics.heartbeat': 'the income of a heartbeat',
  gigahash: 'the price of 10^9 hashes',
  adapts: 'its agents choose among options',
  'adapts.by':
    'how an agent revises its option: it takes that of another agent (imitation, replicator) or a good one (best_response, logit), or it keeps its own (fixed)',
  'adapts.options': 'by name, keys of the population that are others for agents with this option',
  leaves: 'whether an agent that takes it departs',
  'adapts.start': 'the share of each option among agents at arrival; absent: equal shares',
  'start.counts': 'how many agents have each option at arrival',
  'adapts.every': 'the time from one revision to the next, from the start on',
  'adapts.rate': 'the share of agents that revise each time',
  'adapts.noise': 'a difference of payoff for a day: the greater, the more often a worse option is taken',
  'adapts.mutation': 'the probability of an option at random',
  'adapts.sees': 'whether it compares the mean payoffs of options, or its payoff with that of one other agent',
  'adapts.outside': 'the payoff of a day of an agent that leaves',
  reviews: 'how complaints are reviewed',
  'reviews.delay': 'the time from a complaint to its review',
  accuracy: 'the share of reviews that are right',
  resolve: 'how long a sustained complaint lasts; absent: for good',
  faults: 'what fails for a time',
  'faults.name': 'its name, by which random agents are drawn',
  kind: 'the kind of this',
  'kind.outage': 'agents are cut off from the service at the same time',
  'kind.outages': 'agents are cut off together, again and again',
  'kind.anchor_stall': 'no anchor is issued',
  'kind.payments': 'the ledger delays or drops payments',
  at: 'when it begins',
  for: 'how long it lasts',
  catch_up: 'whether all anchors that were held back are issued at its end',
  late: 'the share of payments that are late',
  delay: 'how late they are',
  dropped: 'the share of payments that are lost',
  retry: 'after what time an agent pays again',
  'faults.populations': 'whom it affects; absent: all',
  share: 'the probability that it affects an agent of these',
  interventions: 'what somebody changes at a moment',
  'interventions.name': 'its name, by which random agents are drawn',
  'kind.protocol': 'numbers of the protocol change',
  'kind.revoke_keys': 'keys are revoked',
  'kind.subsidy': 'registered agents get a discount',
  'kind.hold': 'numbers are multiplied again and again, so that a measure stays at its target',
  'interventions.every': 'how long a period is, after which the numbers answer',
  target: 'what is held, and where',
  'target.measure': 'what is held',
  'measure.revenue': 'all fees',
  'measure.heartbeat_revenue': 'fees of heartbeats',
  'measure.availability': 'the share of the time until departure in which agents are active and online',
  'target.per_day': 'lamports a day',
  'target.share': 'the share of time',
  numbers: 'the numbers that answer; absent: the fees of heartbeats',
  gain: 'the power of target / measured by which they are multiplied; absent: 1, and -1 for availability',
  factor_min: 'the least factor of their first values',
  factor_max: 'the greatest factor of their first values',
  set: 'the numbers that are others from then on',
  'interventions.populations': 'whom it affects; absent: all',
  fee: 'the fee that it lowers',
  discount_bps: 'the discount, in basis points',
  floor: 'the fee that is left at least',
  measures: 'what is measured, and how often',
  'measures.every': 'the time from one sample to the next',
  list: 'the measures; absent: all that apply',
  expectations: 'what must come true',
  sometimes: 'rare events that must happen',
  distribution: 'how durations are drawn',
  'distribution.trace': 'as measured',
  'distribution.fixed': 'the same each time',
  'distribution.exponential': 'without memory',
  'distribution.lognormal': 'with a long tail',
  'distribution.weibull': 'ageing: with a shape above 1 the end comes nearer with time',
  mean: 'the mean duration',
  sigma: 'the spread of the logarithm',
  shape: 'above 1 it ages',
};

/** The schema with the purpose of each key and kind as its description, before that of the form of its value. Numbers of the protocol have their own. */
export function withPurposes(schema: Node): Node {
  return described(schema, []) as Node;
}

function described(node: unknown, path: readonly string[]): unknown {
  if (Array.isArray(node)) return node.map((each) => described(each, path));
  if (typeof node !== 'object' || node === null) return node;
  const { properties, const: kind, ...rest } = node as Node;
  const own = kind === undefined ? {} : { const: kind };
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, described(value, path)]));
  if (properties === undefined) return { ...own, ...inner };
  const kinds = Object.entries(properties as Readonly<Record<string, Node>>).flatMap(([key, value]) =>
    typeof value['const'] === 'string' ? [key, value['const']] : [],
  );
  const keys = Object.entries(properties as Readonly<Record<string, Node>>).map(([key, value]) => {
    const purpose = purposeOf([...path, key]);
    const deeper = described(value, [...path, key]) as Node;
    const text = [purpose, deeper['description']].filter((each) => each !== undefined).join('; ');
    return [key, text === '' ? deeper : { ...deeper, description: text }];
  });
  const about = kinds.length === 0 ? undefined : purposeOf([...path, ...kinds]);
  return {
    ...own,
    ...(about === undefined ? {} : { description: about }),
    ...inner,
    properties: Object.fromEntries(keys),
  };
}

/** The row of the longest end of a path. */
function purposeOf(path: readonly string[]): string | undefined {
  // Names of numbers are the protocol's.
  if (path.some((part, at) => at < path.length - 1 && (part === 'set' || (part === 'protocol' && at === 0))))
    return undefined;
  const ends = path.map((_, at) => path.slice(at).join('.'));
  const found = ends.find((end) => Object.hasOwn(PURPOSES, end));
  return found === undefined ? undefined : PURPOSES[found];
}
