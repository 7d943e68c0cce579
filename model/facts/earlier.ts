/**
 * Facts from before the traffic. A state from an unknown start does not hold the agents, keys and payments that were there before, nor all fields of
 * those that it met since. A question that asks for such a fact ends there, and its answer is unknown.
 */

/** The value of a field that no reply has shown. A text, so that copies of an entry keep it. */
export const UNKNOWN = '\0unknown' as never;

/** A question needs a fact from before the traffic. */
class UnknownFact extends Error {}

// One error for all questions: nobody reads its stack, and making one costs more than a judgement.
const unknownFact = new UnknownFact('a fact from before the traffic');

/** Ends the question that asks for an unknown fact. */
export function endUnknown(): never {
  throw unknownFact;
}

/** The answer to a question; undefined if it needs an unknown fact. */
export function unlessUnknown<T>(question: () => T): T | undefined {
  try {
    return question();
  } catch (error) {
    return answerUnknown(error);
  }
}

/** The answer to a question that ended by an unknown fact: undefined. Throws any other error. */
export function answerUnknown(error: unknown): undefined {
  if (!(error instanceof UnknownFact)) throw error;
  return undefined;
}

/** An entry, or a part of one, whose unknown fields end the question that reads them. Writing a field makes it known. */
export function guarded<T extends object>(entry: T): T {
  return new Proxy(entry, guard as ProxyHandler<T>);
}

const guard: ProxyHandler<object> = {
  get: (target, field) => {
    const value: unknown = Reflect.get(target, field);
    if (value === UNKNOWN) return endUnknown();
    return isPlain(value) ? guarded(value) : value;
  },
  // Without it, an engine looks for the field through the proxy before it writes.
  set: (target, field, value) => Reflect.set(target, field, value),
};

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Set);
}
