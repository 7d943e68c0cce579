import type { Problem } from '../spec/document.js';

type Node = Readonly<Record<string, unknown>>;

const UNKNOWN = /^is not a key that is known here$/;

/** Adds to problems about unknown keys which keys are known there, by the JSON Schema of the file. */
export function withKnownKeys(problems: readonly Problem[], schema: Node): readonly Problem[] {
  return problems.map((problem) => {
    if (!UNKNOWN.test(problem.message)) return problem;
    const known = knownKeys(schema, problem.key.split('.').slice(0, -1));
    return { ...problem, message: `${problem.message}; known: ${known.join(', ')}` };
  });
}

/** The keys of the map at a dotted path; of each of its forms, where it has several. */
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
