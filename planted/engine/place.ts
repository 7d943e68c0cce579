/** Places of a module that mistakes name: the module, something that it declares at its top, a member of that. */
import type { Node } from './babel.js';
import { parsed } from './babel.js';
import { isFunction } from './scope.js';
import { bare, isNode, isSame, type Names } from './tree.js';

/** `reference/registry/flag.ts flag(registry, input)`: a file, and what it declares, with its parameters or without. */
interface PlaceName {
  readonly file: string;
  readonly name: string;
  readonly parameters: string;
}

export function placeNamed(text: string): PlaceName {
  const [, file, name = '', parameters = ''] = /^(\S+\.ts)(?: ([\w#.]+)(?:\((.*)\))?)?$/.exec(text) ?? [];
  if (file === undefined) throw new RangeError(`"${text}" is no place: write a file, and what it declares at its top`);
  return { file, name, parameters };
}

/** The node of a place. Throws `RangeError` where the module has none, or two of the name. */
export function nodeAt(program: Node, { file, name }: PlaceName): Node {
  if (name === '') return program;
  const [first = '', ...members] = name.split('.');
  const tops = (program['body'] as Node[]).flatMap(declarationsIn).filter((node) => nameOf(node) === first);
  const found = members.reduce(
    (nodes, member) => nodes.flatMap(membersOf).filter((node) => nameOf(node) === member),
    tops,
  );
  const [node, ...others] = found;
  if (node === undefined || others.length > 0)
    throw new RangeError(`${file} declares ${found.length} ${name}, and one is wanted`);
  return node;
}

function declarationsIn(statement: Node): readonly Node[] {
  const declared = isNode(statement['declaration']) ? statement['declaration'] : statement;
  return Array.isArray(declared['declarations']) ? (declared['declarations'] as Node[]) : [declared];
}

function nameOf(node: Node): string | undefined {
  const named = [node['id'], node['key']].find(isNode);
  return typeof named?.['name'] === 'string' ? named['name'] : undefined;
}

function membersOf(node: Node): readonly Node[] {
  const holder = [node['body'], node['init'], node['value']].find(isNode);
  const inside = holder === undefined ? undefined : bare(holder);
  return (inside?.['properties'] ?? inside?.['body'] ?? []) as Node[];
}

/** The function that a place is; undefined for a constant that is no function. */
export function functionAt(node: Node): Node | undefined {
  const value = [node, node['init'], node['value']].filter(isNode).map(bare);
  return value.find(isFunction);
}

/** Binds the names of the parameters that a place is written with to those of the source. */
export function bindParameters(node: Node, { file, name, parameters }: PlaceName, names: Names): void {
  if (parameters === '') return;
  const wanted = functionOf(parameters)['params'] as Node[];
  const given = (functionAt(node)?.['params'] ?? []) as Node[];
  if (!wanted.every((parameter, nth) => isSameParameter(parameter, given[nth], names))) {
    throw new RangeError(`${file} ${name} has other parameters than (${parameters})`);
  }
}

function functionOf(parameters: string): Node {
  const [statement] = parsed(`(${parameters}) => 0`)['body'] as Node[];
  return statement?.['expression'] as Node;
}

/** A destructured parameter is written with those of its properties that matter. */
function isSameParameter(wanted: Node, given: Node | undefined, names: Names): boolean {
  if (given?.type === 'AssignmentPattern') return isSameParameter(wanted, given['left'] as Node, names);
  if (wanted.type !== 'ObjectPattern' || given?.type !== 'ObjectPattern') return isSame(wanted, given, names);
  const properties = given['properties'] as Node[];
  return (wanted['properties'] as Node[]).every((property) => {
    const same = properties.find((each) => nameOf(each) === nameOf(property));
    return same !== undefined && isSameParameter(property['value'] as Node, same['value'] as Node, names);
  });
}
