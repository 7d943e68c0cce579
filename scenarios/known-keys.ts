/** Adds the known keys to problems about unknown ones, from the JSON Schema. It finds no problems itself. */

import type { Problem } from '../spec/document.js';

type Node = Readonly<Record<string, unknown>>;

const UNKNOWN = /^is not a key that is known here$/;

/** The problems, with the known keys at that place added to those about an unknown key. */
export function withKnownKeys(problems: readonly Problem[], schema: Node): readonly Problem[] {
  return problems.map((problem) => {
    if (!UNKNOWN.test(problem.message)) return problem;
    const known = knownKeys(schema, problem.key.split('.').slice(0, -1));
    return { ...problem, message: `${problem.message}; known: ${known.join(', ')}` };
  });
}

/** The keys of the map at a path, over all of its forms. */
function knownKeys(schema: Node, path: readonly string[]): readonly string[] {
  let nodes = formsOf(schema);
  for (const part of path) {
    nodes = nodes.flatMap(({ properties, items }) => {
      const inner = items ?? (properties as Node | undefined)?.[part];
      return inner === undefined ? [] : formsOf(inner as Node);
    });
  }
  return [...new Set(nodes.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

function formsOf(node: Node): readonly Node[] {
  const forms = (node['oneOf'] ?? node['anyOf']) as readonly Node[] | undefined;
  return forms === undefined ? [node] : forms.flatMap(formsOf);
}
