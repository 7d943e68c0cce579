/**
 * Trees of code, compared and searched. White space, comments, quotes, parentheses and types make no difference; names of
 * local variables make none where a pattern calls them otherwise throughout.
 */
import type { Node } from './babel.js';

/** Where a node is: in the property of another, or in a list there. */
export interface Spot {
  readonly owner: Node;
  readonly key: string;
  readonly index?: number;
}

/** Parts of a node that are not code: places in the text, comments and types. */
const NO_CODE: ReadonlySet<string> = new Set([
  ...['start', 'end', 'loc', 'range', 'extra', 'leadingComments', 'trailingComments', 'innerComments', 'shorthand'],
  ...['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeParameters', 'implements'],
  ...['accessibility', 'readonly', 'override', 'declare', 'definite', 'abstract', 'importKind', 'exportKind'],
]);
/** Expressions that only say a type of another. */
const TYPED: ReadonlySet<string> = new Set([
  ...['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion', 'TSInstantiationExpression'],
]);
/** A question mark after a name says that it may be absent, and is a type; in a chain it is code. */
const CHAINS: ReadonlySet<string> = new Set(['OptionalMemberExpression', 'OptionalCallExpression']);

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** The expression in a statement of its type. */
export function bare(node: Node): Node {
  return TYPED.has(node.type) ? bare(node['expression'] as Node) : node;
}

/** The names of the properties of a node that are code. */
export function codeKeys(node: Node): readonly string[] {
  return Object.keys(node).filter(
    (key) => key !== 'type' && !NO_CODE.has(key) && (key !== 'optional' || CHAINS.has(node.type)),
  );
}

/** Whether a property holds the name of a member, which is not a variable. */
export function isMemberName({ type, computed }: Node, key: string): boolean {
  if (computed === true) return false;
  if (key === 'property') return type === 'MemberExpression' || type === 'OptionalMemberExpression';
  return key === 'key' && type !== 'PrivateName';
}

/** Visits a node and all below it, those in types aside. */
export function visit(node: Node, look: (node: Node, spot: Spot | undefined) => void, spot?: Spot): void {
  const code = bare(node);
  look(code, spot);
  for (const key of codeKeys(code)) {
    const value = code[key];
    if (isNode(value)) visit(value, look, { owner: code, key });
    if (!Array.isArray(value)) continue;
    for (const [index, item] of value.entries()) if (isNode(item)) visit(item, look, { owner: code, key, index });
  }
}

/** The names that a pattern leaves open, and what they were found to be. */
export interface Names {
  readonly isOpen: (name: string) => boolean;
  readonly isLocal: (name: string) => boolean;
  readonly found: Map<string, string>;
}

/** Whether a pattern is the same code as a node. Open names of the pattern are bound to those in their place. */
export function isSame(pattern: unknown, node: unknown, names: Names): boolean {
  if (Array.isArray(pattern) && Array.isArray(node))
    return pattern.length === node.length && pattern.every((item, place) => isSame(item, node[place], names));
  if (!isNode(pattern) || !isNode(node)) return isSameValue(pattern, node);
  const [wanted, given] = [bare(pattern), bare(node)];
  if (wanted.type !== given.type) return false;
  if (wanted.type === 'Identifier') return isSameName(String(wanted['name']), String(given['name']), names);
  const keys = new Set([...codeKeys(wanted), ...codeKeys(given)]);
  return [...keys].every((key) =>
    isMemberName(wanted, key)
      ? isSame(wanted[key], given[key], { ...names, isOpen: () => false })
      : isSame(wanted[key], given[key], names),
  );
}

function isSameValue(pattern: unknown, value: unknown): boolean {
  if (typeof pattern === 'object' && pattern !== null && typeof value === 'object' && value !== null) {
    // A piece of a template: its text, however it is escaped.
    const cooked = 'cooked' in pattern && 'cooked' in value;
    return cooked && pattern.cooked === value.cooked;
  }
  return (pattern ?? undefined) === (value ?? undefined);
}

function isSameName(wanted: string, given: string, { isOpen, isLocal, found }: Names): boolean {
  if (!isOpen(wanted)) return wanted === given;
  const before = found.get(wanted);
  if (before !== undefined) return before === given;
  if (!isLocal(given) || [...found.values()].includes(given)) return false;
  found.set(wanted, given);
  return true;
}
