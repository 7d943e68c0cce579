/** Adds the known keys to problems about unknown ones, from the JSON Schema of the file. It finds no problems itself. */

import type { Parsed } from '../spec/document.js';
import { didYouMean } from '../spec/nearest-name.js';

type Node = Readonly<Record<string, unknown>>;

const UNKNOWN = /^is not a key that is known here$/;

/** A file that was read, or its problems with the known keys at that place added to those about an unknown key. */
export function withKnownKeys<T>(parsed: Parsed<T>, schemaOf: () => Node): Parsed<T> {
  if (parsed.ok) return parsed;
  const schema = schemaOf();
  const problems = parsed.problems.map((problem) => {
    if (!UNKNOWN.test(problem.message)) return problem;
    const path = problem.key.split('.');
    const known = knownKeys(schema, path.slice(0, -1));
    if (known.length === 0) return problem;
    const meant = didYouMean(path.at(-1), known);
    return { ...problem, message: `${problem.message}; known: ${known.join(', ')}${meant}` };
  });
  return { ok: false, problems };
}

/** The keys of the map at a path, over all of its forms. */
function knownKeys(schema: Node, path: readonly string[]): readonly string[] {
  let nodes = formsOf(schema);
  for (const part of path) {
    nodes = nodes.flatMap(({ properties, items, additionalProperties }) => {
      const inner = items ?? (properties as Node | undefined)?.[part] ?? additionalProperties;
      return typeof inner !== 'object' ? [] : formsOf(inner as Node);
    });
  }
  return [...new Set(nodes.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

function formsOf(node: Node): readonly Node[] {
  const forms = (node['oneOf'] ?? node['anyOf']) as readonly Node[] | undefined;
  return forms === undefined ? [node] : forms.flatMap(formsOf);
}
