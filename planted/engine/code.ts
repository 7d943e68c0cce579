/** Pieces of code that mistakes are written with: read, found in a place, and put where another was. */
import { type Node, parsed } from './babel.js';
import { codeKeys, isMemberName, isNode, isSame, type Names, visit } from './tree.js';

/** Code by itself: an expression, properties of an object, or statements. */
export interface Code {
  readonly kind: 'expression' | 'properties' | 'statements';
  readonly nodes: readonly Node[];
}

/** Nodes that a pattern is the same as: one in a property of their owner, or some that follow each other in a list there. */
export interface Match {
  readonly nodes: readonly Node[];
  readonly owner: Node;
  readonly key: string;
  readonly index?: number;
}

/** The placeholder for the code that a pattern has matched. */
const MATCHED = '$';

const READERS: Readonly<Record<Code['kind'], (text: string) => readonly Node[]>> = {
  expression: (text) => {
    const [statement, ...others] = parsed(`(${text}\n)`, true)['body'] as Node[];
    const expression = statement?.['expression'] as Node | undefined;
    // `(a: b)` is read as the beginning of an arrow function, and is a property.
    if (expression === undefined || others.length > 0 || expression.type === 'TSTypeCastExpression')
      throw new SyntaxError(text);
    return [expression];
  },
  properties: (text) => {
    const [object] = READERS.expression(`{${text}\n}`);
    return object?.['properties'] as Node[];
  },
  statements: (text) => parsed(text, true)['body'] as Node[],
};

/** Reads code, as the first of expression, properties and statements that it can be, or as what is wanted. */
export function codeOf(
  text: string,
  kinds: readonly Code['kind'][] = ['expression', 'properties', 'statements'],
): Code {
  for (const kind of kinds) {
    try {
      return { kind, nodes: READERS[kind](text) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  throw new RangeError(`this is no code (${kinds.join(', ')}): ${text}`);
}

/** The lists of a node that hold code of a kind. */
const LISTS: Readonly<Record<'properties' | 'statements', readonly string[]>> = {
  properties: ['ObjectExpression.properties', 'ObjectPattern.properties'],
  statements: ['Program.body', 'BlockStatement.body', 'SwitchCase.consequent'],
};

/** Every place in a node that is the same as a pattern, with the names that it binds. */
export function matchesIn(root: Node, { kind, nodes }: Code, names: Names): readonly (Match & Pick<Names, 'found'>)[] {
  const matches: (Match & Pick<Names, 'found'>)[] = [];
  const test = (given: readonly unknown[], match: Omit<Match, 'nodes'>): void => {
    const found = new Map(names.found);
    if (isSame(nodes, given, { ...names, found })) matches.push({ ...match, nodes: given as Node[], found });
  };
  visit(root, (node, spot) => {
    const inList = spot?.index !== undefined && kind !== 'expression' && isListOf(kind, spot.owner, spot.key);
    if (
      spot !== undefined &&
      !inList &&
      nodes.length === 1 &&
      kind !== 'properties' &&
      !isMemberName(spot.owner, spot.key)
    )
      test([node], spot);
    if (kind === 'expression') return;
    for (const key of codeKeys(node).filter((each) => isListOf(kind, node, each))) {
      const list = node[key] as Node[];
      for (const index of list.keys()) test(list.slice(index, index + nodes.length), { owner: node, key, index });
    }
  });
  return matches;
}

export function isListOf(kind: 'properties' | 'statements', { type }: Node, key: string): boolean {
  return LISTS[kind].includes(`${type}.${key}`);
}

/** Puts code in the place of a match. */
export function put({ owner, key, index, nodes }: Match, code: readonly Node[]): void {
  // `{ agent }` with another value is no longer a shorthand.
  if (owner.type === 'ObjectProperty') owner['shorthand'] = false;
  if (index !== undefined) (owner[key] as Node[]).splice(index, nodes.length, ...code);
  else owner[key] = code.length === 1 ? code[0] : { type: 'BlockStatement', body: code, directives: [] };
}

/** A copy of code with names as they are in the source, and with what a pattern has matched. */
export function filled(code: readonly Node[], found: Names['found'], matched: readonly Node[]): readonly Node[] {
  const isMatched = (node: unknown): boolean => isNode(node) && node.type === 'Identifier' && node['name'] === MATCHED;
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.flatMap((item): unknown[] => (standsForList(item) ? [...matched] : [fill(item)]));
    if (!isNode(value)) return value;
    if (isMatched(value) || standsForList(value)) return matched[0];
    if (value.type === 'Identifier') return { ...value, name: found.get(String(value['name'])) ?? value['name'] };
    const entries = Object.entries(value).map(([key, part]) => [key, isMemberName(value, key) ? part : fill(part)]);
    return Object.fromEntries(entries);
  };
  /** `$` as a statement or a property may be several of them. */
  const standsForList = (node: unknown): boolean =>
    isNode(node) &&
    ((node.type === 'ExpressionStatement' && isMatched(node['expression'])) ||
      (node.type === 'ObjectProperty' && node['shorthand'] === true && isMatched(node['value'])));
  return fill(code) as readonly Node[];
}
