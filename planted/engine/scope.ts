/** The names that code declares and uses. It compares nothing: tree.ts does. */
import type { Node } from './babel.js';
import { bare, codeKeys, isMemberName, isNode, visit } from './tree.js';

const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'],
  ...['ObjectMethod', 'ClassMethod', 'ClassPrivateMethod'],
]);

export const isFunction = ({ type }: Node): boolean => FUNCTIONS.has(type);

/** The names that a pattern of a declaration declares. */
function namesIn(pattern: unknown): readonly string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [String(pattern['name'])];
  if (pattern.type === 'ObjectProperty') return namesIn(pattern['value']);
  const inner = [
    pattern['properties'],
    pattern['elements'],
    pattern['left'],
    pattern['argument'],
    pattern['parameter'],
  ];
  return inner.flat().flatMap(namesIn);
}

/** The names that a node itself declares: a function its parameters, a declaration its variable. */
function declaredBy(node: Node): readonly string[] {
  if (node.type === 'VariableDeclarator') return namesIn(node['id']);
  if (node.type === 'CatchClause') return namesIn(node['param']);
  const own = node.type.endsWith('Declaration') ? namesIn(node['id']) : [];
  return isFunction(node) ? [...own, ...(node['params'] as Node[]).flatMap(namesIn)] : own;
}

/** The names of the variables that are declared in a node, however deep; its own name is declared around it. */
export function localsOf(node: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const { id: _, ...inside } = node;
  visit(inside as Node, (each) => {
    for (const name of declaredBy(each)) names.add(name);
  });
  return names;
}

/** The names that a module declares at its top, or imports. */
export function namesOfModule(program: Node): ReadonlySet<string> {
  const names = (program['body'] as Node[]).flatMap((statement) => {
    const { specifiers } = statement as { readonly specifiers?: readonly Node[] };
    if (statement.type === 'ImportDeclaration') return (specifiers ?? []).flatMap(({ local }) => namesIn(local));
    const declared = isNode(statement['declaration']) ? statement['declaration'] : statement;
    const { declarations = [] } = declared as { readonly declarations?: readonly Node[] };
    return [...declaredBy(declared).slice(0, 1), ...declarations.flatMap(declaredBy)];
  });
  return new Set(names);
}

/** The variables that code uses and does not declare itself. */
export function freeNamesOf(node: Node): ReadonlySet<string> {
  const locals = localsOf(node);
  const used = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (!isNode(value)) return;
    const code = bare(value);
    if (code.type === 'Identifier' && !locals.has(String(code['name']))) used.add(String(code['name']));
    for (const key of codeKeys(code)) if (!isMemberName(code, key)) look(code[key]);
  };
  if (node.type !== 'ImportDeclaration') look(node);
  return used;
}
