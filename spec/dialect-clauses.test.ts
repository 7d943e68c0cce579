import { describe, expect, it } from 'vitest';
import { clauseById } from './clauses/index.js';
import { dialects } from './dialect.js';
import { clausesIn, excludedIn, factsOf, standingIn, withFacts } from './dialect-clauses.js';
import { dialectFacts } from './dialect-facts.js';
import { settingsShape } from './dialect-settings.js';

const { service, provenonce } = dialects;

describe('the table of facts', () => {
  it('has every setting of a dialect, and each with a clause of its own of D-57', () => {
    expect([...new Set(dialectFacts.map(({ setting }) => setting))].toSorted()).toEqual(
      Object.keys(settingsShape).toSorted(),
    );
    for (const { clauses } of dialectFacts) {
      const ids = Object.keys(clauses);
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids) expect(clauseById(id)).toMatchObject({ id, level: 'decision', decision: 'D-57' });
    }
  });

  it('has every number that provenonce brings', () => {
    const numbers = dialectFacts.flatMap(({ number }) => number ?? []);
    expect(numbers.toSorted()).toEqual([
      'agent.depthMax',
      'anchor.graceAnchors',
      'limits.register',
      'limits.registerWalletFlow',
      'sigil.nameCharsMax',
    ]);
  });

  it('replaces clauses that there are, and has evidence of some of them taken for the fact', () => {
    for (const { replaces, judgedAs = {}, clauses } of dialectFacts) {
      for (const id of replaces) expect(clauseById(id).id).toBe(id);
      expect(replaces).toEqual(expect.arrayContaining(Object.keys(judgedAs)));
      expect(Object.keys(clauses)).toEqual(expect.arrayContaining(Object.values(judgedAs)));
    }
  });

  it('replaces of the text only what contradicts the published service', () => {
    const musts = dialectFacts.flatMap(({ replaces }) => replaces).filter((id) => clauseById(id).level === 'must');
    expect(musts.toSorted()).toEqual([
      'limit.register',
      'limit.register.wallet-flow',
      'spawn.cost.check.2-3',
      'work-proof.field.anchor-hash',
      'work-proof.field.from-hash',
      'work-proof.field.to-hash',
      'work-proof.reply',
    ]);
  });
});

describe('clauses in a dialect', () => {
  it('of the specification to the letter are all of it, without the facts of others', () => {
    expect(factsOf(service)).toEqual([]);
    expect(clausesIn(service).find(({ id }) => id === 'limit.register')).not.toHaveProperty('excluded');
    expect(excludedIn(service).get('dialect.limit.register')).toBe('it is a fact of other dialects');
    expect(standingIn(service)('limit.register')).toBe('limit.register');
    expect(standingIn(service)('dialect.limit.register')).toBeUndefined();
  });

  it('that a fact replaces are excluded, with what holds in their place', () => {
    expect(factsOf(provenonce)).toEqual(dialectFacts);
    expect(clausesIn(provenonce).find(({ id }) => id === 'limit.register')?.excluded).toBe(
      'replaced by the dialect: Registrations without a wallet and of children are limited to 5 an hour per IP.',
    );
    expect(standingIn(provenonce)('limit.register')).toBe('dialect.limit.register');
    expect(standingIn(provenonce)('work-proof.reply')).toBeUndefined();
    expect(standingIn(provenonce)('error.body.code')).toBe('error.body.code');
  });

  it('of a dialect with one fact are replaced by that one alone', () => {
    const own = { ...service, spawnCost: 'doubles' } as const;
    expect(factsOf(own).map(({ setting }) => setting)).toEqual(['spawnCost']);
    expect(standingOf(own, ['spawn.cost.check.2-3', 'dialect.spawn.cost', 'limit.register'])).toEqual([
      undefined,
      'dialect.spawn.cost',
      'limit.register',
    ]);
  });

  it('are those of checks with the facts that take what they see', () => {
    expect(withFacts(['limit.register', 'limit.window'])).toEqual([
      'limit.register',
      'limit.window',
      'dialect.limit.register',
    ]);
  });
});

function standingOf(
  dialect: Parameters<typeof standingIn>[0],
  ids: readonly string[],
): readonly (string | undefined)[] {
  return ids.map(standingIn(dialect));
}
