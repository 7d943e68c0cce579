// Ambiguities that are planted in the text: the clauses that forbid an outcome are taken away, one request after the other.
import { expect, it } from 'vitest';
import { clauses } from '../../spec/clauses/index.js';
import { protocol } from '../../spec/protocol.js';
import { askedIn, openAmong } from './silences.js';

const PLANTED = 30;
const HARMLESS = 20;

it('27 of 30 planted ambiguities are listed, and no clause about a field of a reply is one', {
  timeout: 600_000,
}, async () => {
  const asked = await askedIn(protocol, { statesMax: 6_000, probedMax: 80, pairsMax: 60 });
  const nameOf = ({ endpoint, accepted, decisions, questions }: ReturnType<typeof openAmong>[number]) =>
    [endpoint, accepted, ...decisions, ...questions].join('|');
  const known = new Set(openAmong(asked).map(nameOf));
  const newWithout = (removed: readonly string[]) =>
    openAmong(asked, new Set(removed)).filter((each) => !known.has(nameOf(each)));
  const forbidding = new Map(
    asked.flatMap(({ accepted, refusals, acceptances }) => {
      const [least] = (accepted ? refusals : acceptances).toSorted((a, b) => a.breaks.length - b.breaks.length);
      return least === undefined || least.breaks.length === 0 ? [] : [[least.breaks.join(), least.breaks] as const];
    }),
  );
  const every = Math.floor(forbidding.size / PLANTED);
  const planted = [...forbidding.values()].filter((_, nth) => nth % every === 0).slice(0, PLANTED);
  expect(planted).toHaveLength(PLANTED);
  expect(planted.filter((removed) => newWithout(removed).length > 0).length).toBeGreaterThanOrEqual(27);
  const fields = clauses.filter(({ id, level }) => level === 'must' && /\.reply\.|\.field\./.test(id));
  const harmless = fields.filter((_, nth) => nth % 7 === 0).slice(0, HARMLESS);
  expect(harmless).toHaveLength(HARMLESS);
  expect(harmless.filter(({ id }) => newWithout([id]).length > 0)).toEqual([]);
});
