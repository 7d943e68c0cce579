/** Changes of one place of a module: a pattern that matches there once, and the code that takes its place. */
import type { Node } from './babel.js';
import { type Code, codeOf, filled, isListOf, type Match, matchesIn, put } from './code.js';
import { bindParameters, functionAt, nodeAt, placeNamed } from './place.js';
import { freeNamesOf, localsOf, namesOfModule } from './scope.js';
import { type Names, visit } from './tree.js';

/**
 * One change. In `change` the second code takes the place of the first, which `$` stands for; statements go before or after the
 * statement that holds a pattern, or `enter` a function or a module at its beginning. `given` is a further pattern, for names
 * of variables that only the new code uses; `import` is what the module imports besides.
 */
export interface Edit {
  readonly in: string;
  readonly change?: readonly [pattern: string, code: string];
  readonly before?: readonly [pattern: string, code: string];
  readonly after?: readonly [pattern: string, code: string];
  readonly enter?: string;
  readonly given?: readonly string[];
  readonly import?: readonly string[];
}

/** The file that a change is in. */
export const fileOf = (edit: Edit): string => placeNamed(edit.in).file;

/** Makes a change in the program of its module. Throws `RangeError` where it does not fit, with the place and the pattern. */
export function applyEdit(program: Node, edit: Edit): void {
  const place = placeNamed(edit.in);
  for (const imported of edit.import ?? []) enter(program, codeOf(`import ${imported};`, ['statements']).nodes);
  const root = nodeAt(program, place);
  const names = namesAt(program, root);
  bindParameters(root, place, names);
  for (const pattern of edit.given ?? []) bind(names, onlyMatch(root, pattern, names, edit));
  if (edit.enter !== undefined) {
    enter(root, newCode(codeOf(edit.enter, ['statements']), names, edit));
    return;
  }
  const [pattern, text] = edit.change ?? edit.before ?? edit.after ?? ['', ''];
  const match = bind(names, onlyMatch(root, pattern, names, edit));
  if (edit.change !== undefined) {
    put(match, newCode(codeOf(text, [match.kind]), names, edit, match.nodes));
    return;
  }
  const code = newCode(codeOf(text, ['statements']), names, edit);
  const around = statementAround(program, match);
  put({ ...around, index: (around.index ?? 0) + (edit.before === undefined ? 1 : 0), nodes: [] }, code);
}

/** Names of a place, and of the module around it. */
type NamesAt = Names & { readonly isKnown: (name: string) => boolean };

/** A name of a pattern is open where nothing declares it. */
function namesAt(program: Node, root: Node): NamesAt {
  const locals = localsOf(root);
  const outside = namesOfModule(program);
  const isKnown = (name: string): boolean =>
    locals.has(name) || outside.has(name) || name in globalThis || name === 'arguments';
  return { isKnown, isOpen: (name) => !isKnown(name), isLocal: (name) => locals.has(name), found: new Map() };
}

function onlyMatch(root: Node, pattern: string, names: Names, edit: Edit) {
  const code = codeOf(pattern);
  const strict = matchesIn(root, code, names);
  // A local variable may have had the name of something that the module declares.
  const isOpen = (name: string): boolean => !names.isLocal(name) && !(name in globalThis);
  const matches = strict.length > 0 ? strict : matchesIn(root, code, { ...names, isOpen });
  const [match] = matches;
  if (match === undefined || matches.length > 1) {
    throw new RangeError(`${edit.in}: ${JSON.stringify(pattern)} matches ${matches.length} times, and once is wanted`);
  }
  return { ...match, kind: code.kind };
}

function bind<M extends Pick<Names, 'found'>>({ found }: Names, match: M): M {
  for (const [open, name] of match.found) found.set(open, name);
  return match;
}

/** New code in the names of the source. Throws `RangeError` for a name that nothing declares there. */
function newCode(
  { nodes }: Code,
  { found, isKnown }: NamesAt,
  edit: Edit,
  matched: readonly Node[] = [],
): readonly Node[] {
  const used = freeNamesOf({ type: 'BlockStatement', body: nodes });
  const unknown = [...used].filter((name) => name !== '$' && !found.has(name) && !isKnown(name));
  if (unknown.length > 0) {
    throw new RangeError(
      `${edit.in}: the new code uses ${unknown.join(', ')}, which nothing declares there: bind it with "given"`,
    );
  }
  return filled(nodes, found, matched);
}

/** Puts statements at the beginning of a function or a module. */
function enter(root: Node, code: readonly Node[]): void {
  if (root.type === 'Program') {
    put({ owner: root, key: 'body', index: 0, nodes: [] }, code);
    return;
  }
  const owner = functionAt(root);
  if (owner === undefined) throw new RangeError('only a function or a module can be entered');
  const body = owner['body'] as Node;
  const statements = body.type === 'BlockStatement' ? body['body'] : [{ type: 'ReturnStatement', argument: body }];
  owner['body'] = { type: 'BlockStatement', body: [...code, ...(statements as Node[])], directives: [] };
}

/** The innermost statement of a list that a match is in, or is. */
function statementAround(program: Node, match: Match): Omit<Match, 'nodes'> {
  const [first] = match.nodes;
  let around: Omit<Match, 'nodes'> | undefined;
  visit(program, (node, spot) => {
    if (spot?.index === undefined || !isListOf('statements', spot.owner, spot.key)) return;
    let holds = false;
    visit(node, (inner) => {
      holds ||= inner === first;
    });
    if (holds) around = spot;
  });
  if (around === undefined) throw new RangeError('the pattern is in no statement');
  return around;
}
