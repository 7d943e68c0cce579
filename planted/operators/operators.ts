/**
 * Operators that StrykerJS lacks, in its own form: a removed statement, another constant, another text of the same use, another field of the same
 * object, arguments exchanged. Mutants of an operator need not be written by hand.
 */
import { type Node, parsed, printed } from '../engine/babel.js';
import { bare, codeKeys, isNode, isSame, type Spot } from '../engine/tree.js';

/** Code that takes the place of an expression, or of a statement that is removed. */
interface Made {
  readonly operator: string;
  readonly code?: Node;
}

/** A mutant as reports of mutation testing have it, without its outcome. */
export interface Generated {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** An expression or a statement in its owner, with what operators make of it. */
interface Site {
  readonly node: Node;
  readonly spot: Spot;
  readonly made: readonly Made[];
}

const SWITCH = 'stryMutAct_9fa48';
const COVER = 'stryCov_9fa48';

/** The mutants of a module of the rules, in their order. */
export function generatedIn(text: string): readonly Generated[] {
  return sitesOf(parsed(text)).flatMap(({ node, made }) =>
    made.map(({ operator, code }) => ({
      mutatorName: operator,
      replacement: code === undefined ? '' : textOf(code),
      location: placeOf(node),
    })),
  );
}

/** A module with one of its mutants, by its number in `generatedIn`. */
export function withGenerated(text: string, nth: number): string {
  const program = parsed(text);
  const all = sitesOf(program).flatMap(({ spot, made }) => made.map(({ code }) => ({ spot, code })));
  const one = all[nth];
  if (one === undefined) throw new RangeError(`there is no mutant ${nth}`);
  replace(one.spot, one.code ?? { type: 'EmptyStatement' });
  return printed(program);
}

/** A module that Stryker has instrumented, with the mutants of its original behind switches too. `firstId` is that of the first. */
export function withSwitches(original: string, instrumented: string, firstId: number): string {
  const wanted = sitesOf(parsed(original));
  const program = parsed(instrumented);
  const given = sitesOf(program);
  if (given.length !== wanted.length) throw new Error(`${given.length} sites in place of ${wanted.length}`);
  let next = firstId;
  const ids = wanted.map(({ made }) => made.map(() => String(next++)));
  // Inner ones first: what an outer one leaves as it is has the inner ones in it.
  for (const [nth, { node, spot }] of [...given.entries()].reverse()) {
    const { made } = wanted[nth] as Site;
    const own = ids[nth] as string[];
    replace(
      spot,
      own.reduceRight((inner, id, place) => switched(id, (made[place] as Made).code, inner), covered(own, node)),
    );
  }
  return printed(program);
}

/** `id` on: the mutant, else what there was. */
function switched(id: string, code: Node | undefined, other: Node): Node {
  const test = call(SWITCH, [id]);
  if (code !== undefined) return { type: 'ConditionalExpression', test, consequent: code, alternate: other };
  return {
    type: 'IfStatement',
    test: { type: 'UnaryExpression', operator: '!', prefix: true, argument: test },
    consequent: other,
  };
}

function covered(ids: readonly string[], node: Node): Node {
  const cover = call(COVER, ids);
  if (node.type !== 'ExpressionStatement') return { type: 'SequenceExpression', expressions: [cover, node] };
  return { type: 'BlockStatement', body: [{ type: 'ExpressionStatement', expression: cover }, node], directives: [] };
}

function call(name: string, ids: readonly string[]): Node {
  const texts = ids.map((value) => ({ type: 'StringLiteral', value }));
  return { type: 'CallExpression', callee: { type: 'Identifier', name }, arguments: texts };
}

function replace({ owner, key, index }: Spot, code: Node): void {
  if (owner.type === 'ObjectProperty') owner['shorthand'] = false;
  if (index === undefined) owner[key] = code;
  else (owner[key] as Node[])[index] = code;
}

/** The sites of a program in their order; where Stryker has put a switch, those of the code as it was. */
function sitesOf(program: Node): readonly Site[] {
  const nodes: { readonly node: Node; readonly spot: Spot }[] = [];
  const walk = (node: Node, spot?: Spot): void => {
    if (isHelper(node)) return;
    if (spot !== undefined && isPlaceable(node, spot)) nodes.push({ node, spot });
    for (const key of isSwitch(node) ? ['alternate'] : codeKeys(node)) {
      const value = node[key];
      if (isNode(value)) walk(bare(value), { owner: node, key });
      if (!Array.isArray(value)) continue;
      for (const [index, item] of value.entries()) if (isNode(item)) walk(bare(item), { owner: node, key, index });
    }
  };
  walk(program);
  return nodes.flatMap(({ node, spot }) => {
    const made = madeOf(
      node,
      nodes.map((each) => each.node),
    );
    return made.length === 0 ? [] : [{ node, spot, made }];
  });
}

const isCallOf = (node: unknown, ...names: readonly string[]): boolean =>
  isNode(node) && node.type === 'CallExpression' && names.includes(String((node['callee'] as Node)['name']));
const isSwitch = ({ test }: Node): boolean => isCallOf(test, SWITCH);

/** Functions and calls that Stryker has added. */
function isHelper(node: Node): boolean {
  const declared = node.type === 'FunctionDeclaration' && String((node['id'] as Node)['name']).endsWith('_9fa48');
  return (
    declared || isCallOf(node, COVER) || (node.type === 'ExpressionStatement' && isCallOf(node['expression'], COVER))
  );
}

/** Nodes that can be replaced where they are: no names, no targets of assignments, nothing that a call or a chain needs. */
function isPlaceable({ type }: Node, { owner, key }: Spot): boolean {
  if (type === 'ExpressionStatement') return owner.type === 'BlockStatement';
  if (!['NumericLiteral', 'StringLiteral', 'CallExpression', 'MemberExpression'].includes(type)) return false;
  if (['callee', 'left', 'key', 'source', 'id', 'tag'].includes(key) && owner.type !== 'BinaryExpression') return false;
  return !/^(Update|Import|Export|Optional|TSLiteral|Unary)/.test(owner.type);
}

function madeOf(node: Node, all: readonly Node[]): readonly Made[] {
  const { type } = node;
  if (type === 'ExpressionStatement') return [{ operator: 'StatementRemoval' }];
  if (type === 'NumericLiteral') return [{ operator: 'Constant', code: { type, value: Number(node['value']) + 1 } }];
  if (type === 'MemberExpression') {
    const other = all.find((each) => each.type === type && isFieldOfSame(each, node));
    return other === undefined ? [] : [{ operator: 'Field', code: other }];
  }
  if (type === 'CallExpression') return [...exchanged(node), ...otherTexts(node, all)];
  return [];
}

const exactly = { isOpen: () => false, isLocal: () => false, found: new Map<string, string>() };

function isFieldOfSame(one: Node, other: Node): boolean {
  const plain = one['computed'] !== true && other['computed'] !== true;
  return (
    plain && isSame(one['object'], other['object'], exactly) && !isSame(one['property'], other['property'], exactly)
  );
}

/** `f(b, a)` for `f(a, b)`. */
function exchanged(node: Node): readonly Made[] {
  const [first, second, ...others] = node['arguments'] as Node[];
  const isValue = (each: Node | undefined): boolean => ['Identifier', 'MemberExpression'].includes(each?.type ?? '');
  if (!isValue(first) || !isValue(second)) return [];
  return [{ operator: 'Arguments', code: { ...node, arguments: [second, first, ...others] } }];
}

/** A text as first argument, such as the code of a refusal: the next other one that the same function gets in the module. */
function otherTexts(node: Node, all: readonly Node[]): readonly Made[] {
  const [text, ...others] = node['arguments'] as Node[];
  if (text?.type !== 'StringLiteral') return [];
  const same = all.filter((each) => each.type === node.type && isSame(each['callee'], node['callee'], exactly));
  const texts = same.map((each) => (each['arguments'] as Node[])[0]).filter((each) => each?.type === 'StringLiteral');
  const values = [...new Set(texts.map((each) => each?.['value']))];
  const value = values[(values.indexOf(text['value']) + 1) % values.length];
  return value === text['value']
    ? []
    : [{ operator: 'Text', code: { ...node, arguments: [{ type: 'StringLiteral', value }, ...others] } }];
}

function textOf(code: Node): string {
  const text = printed({
    type: 'Program',
    sourceType: 'module',
    directives: [],
    body: [{ type: 'ExpressionStatement', expression: code }],
  });
  return text.replace(/;$/, '');
}

/** Counted from 0, as Stryker's instrumenter does. */
function placeOf({ loc }: Node): Generated['location'] {
  const { start, end } = loc as Generated['location'];
  const at = ({ line, column }: Place): Place => ({ line: line - 1, column });
  return { start: at(start), end: at(end) };
}
