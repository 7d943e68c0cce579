/** Functions that compute each answer once: the same few questions come with every exchange. */

/** A function of an object; the answer is kept as long as the object. */
export function perObject<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const answers = new WeakMap<K, { readonly answer: V }>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) return known.answer;
    const made = { answer: compute(key) };
    answers.set(key, made);
    return made.answer;
  };
}

const TEXTS_MAX = 10_000;
const CHARS_MAX = 1_000;

/** A function of a text. It keeps a bounded number of answers, none about long texts, since texts may come from the traffic. */
export function perText<V>(compute: (text: string) => V): (text: string) => V {
  const answers = new Map<string, { readonly answer: V }>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known.answer;
    const made = { answer: compute(text) };
    if (text.length > CHARS_MAX) return made.answer;
    if (answers.size >= TEXTS_MAX) answers.clear();
    answers.set(text, made);
    return made.answer;
  };
}
