import { expect, it } from 'vitest';
import { sourceFiles } from '../../test/source-tree.js';
import { groups } from './groups.js';
import { clauseById } from './index.js';

const own = 'spec/clauses/groups.ts';

/** The groups whose clauses a text lists side by side. */
function listed(text: string): string[] {
  const lists = text.match(/'[a-z0-9.-]+'(?:,\s*'[a-z0-9.-]+')+|(?<=')[a-z0-9.-]+(?: [a-z0-9.-]+)+(?=')/g) ?? [];
  const words = lists.map((list) => new Set(list.match(/[a-z0-9.-]+/g)));
  return Object.entries(groups).flatMap(([name, ids]) =>
    words.some((each) => ids.every((id) => each.has(id))) ? [name] : [],
  );
}

it('a group has clauses of one level, and no other file lists them again', () => {
  for (const [name, ids] of Object.entries(groups))
    expect(new Set(ids.map((id) => clauseById(id).level)).size, name).toBe(1);
  const sources = sourceFiles().filter(({ path, isTest }) => !isTest && path !== own);
  expect(sources.flatMap(({ path, text }) => listed(text).map((name) => `${path}: groups.${name}`))).toEqual([]);
  expect(listed("['heartbeat.interval.min', 'constant.heartbeat-interval']")).toEqual(['heartbeatInterval']);
});
