// Comments: every source file opens with what it is for, and all use plain words.
import { describe, expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { allFiles, commentsOf, sourceFiles } from './source-tree.js';

const sources = sourceFiles().filter((file) => !file.isTest);

/** Rooms, or wings, in which every source file opens with a comment on what it is for. */
const headedRooms = [
  'bench/',
  'cli/',
  'conformance/',
  'experiments/',
  'explore/',
  'lab/',
  'model/',
  'planted/',
  'reference/',
  'reports/',
  'results/',
  'rules/',
  'runs/',
  'scenarios/',
  'sha256/',
  'simulator/',
  'spec/',
  'watch/',
];

/** The comment with which a text begins, or empty. */
function headerOf(text: string): string {
  return /^(?:#!.*\n)?\s*\/[/*]/.test(text) ? (commentsOf(text)[0] ?? '') : '';
}

/** Words that make a comment hard to read, and what to write in their place. */
const unclear: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^What\b/, 'name the thing: "The outcome of …"'],
  [/\bWho\b|\b[Ww]hoever\b/, 'name the actor: "An agent that …"'],
  [/\bso many\b/i, '"this many", "a number of", or the name of the parameter'],
  [/\bin vain\b/i, '"refused", "without effect"'],
  [/(?<!there )\b(?:is|are|was|were) none\b/, '"is invalid", "is not a …"'],
  [/\bbut for\b/i, '"except"'],
  [/\banew\b/i, '"again"'],
  [/\bstands?\b(?! for| still|-)/i, '"is"'],
  [/\b(?:is|are|was|were|be) told\b/i, '"gets", "knows", "on request"'],
  [/\btells? of\b/i, '"shows", "describes"'],
  [/\blooked at\b/i, '"judged", "examined", "read"'],
  [/\bmend/i, '"fix"'],
  [/\bbeside\b/i, '"next to", "in addition to"'],
  [/\b(?:takes?|took) down\b/i, '"records"'],
  [/\bheld to\b/i, '"judged by"'],
  [/\bfor want of\b/i, '"without"'],
  [/\blacks? nothing\b/i, '"valid"'],
  [/\bWhose\b|\bTold\b/, 'name the actor, or "called with"'],
  [/\bbecomes? of\b/i, '"the state of", "the outcome of"'],
  [/\bspeaks? against\b/i, '"breaks", "is evidence against"'],
];

/** The replacement of each unclear word of a sentence. */
function unclearIn(sentence: string): readonly string[] {
  return unclear.filter(([pattern]) => pattern.test(sentence)).map(([, instead]) => instead);
}

/** Each unclear word of a text's comments, with its replacement; quoted words and code do not count. */
function unclearWords(text: string): string[] {
  const comments = commentsOf(text).map((comment) => comment.replace(/`[^`]*`|"[^"]*"/g, ''));
  return comments.flatMap((comment) => unclearIn(comment).map((instead) => `${instead}: ${comment}`));
}

describe('comments', () => {
  const headed = sources.filter(({ path }) => headedRooms.some((room) => path.startsWith(room)));

  it('every source file opens with what it is for', () => {
    expect(headedRooms.filter((room) => !headed.some(({ path }) => path.startsWith(room)))).toEqual([]);
    expect(headed.filter(({ text }) => headerOf(text).length < 40).map(({ path }) => path)).toEqual([]);
  });

  it.each([
    ["import { z } from 'zod';\n", 0],
    ['/** Reads bodies. */\n', 13],
    [`// ${'Reads. '.repeat(2)}\n// Again.\n/** A body. */\n`, 20],
  ])('the header of %j has %i characters', (text, length) => {
    expect(headerOf(text)).toHaveLength(length);
  });

  it('use plain words', () => {
    const found = allFiles().map(({ path, text }) => [path, unclearWords(text)] as const);
    expect(found.filter(([, words]) => words.length > 0)).toEqual([]);
  });

  it('titles of checks use them too', () => {
    const found = allChecks.flatMap(({ id, title }) =>
      unclearIn(title).map((instead) => `${id}: ${instead}: ${title}`),
    );
    expect(found).toEqual([]);
    expect(unclearIn('Whoever asks is told of it')).toHaveLength(2);
  });

  it.each([
    '/**\n * What a body is.\n */',
    '// Whoever asks.',
    '/** It stands at\n * the top. */',
    'const url = `http://x`; // One that is none.',
  ])('the rule would catch %j', (text) => {
    expect(unclearWords(text)).toHaveLength(1);
  });

  it.each([
    "const a = 'anew'; // `anew`, and there is none",
    'const url = `http://anew`;',
    '// "Whoever", `*` stands for any',
  ])('the rule lets through %j', (text) => {
    expect(unclearWords(text)).toEqual([]);
  });
});
