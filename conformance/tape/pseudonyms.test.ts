import { describe, expect, it } from 'vitest';
import { Pseudonyms } from './pseudonyms.js';

const PAYLOAD = Buffer.from('{"h":"0xab","k":1}').toString('base64url');
const MAC = 'a0b1'.repeat(16);

function knowing(...secrets: readonly string[]): Pseudonyms {
  const made = new Pseudonyms();
  for (const secret of secrets) made.add(secret);
  return made;
}

describe('pseudonyms', () => {
  it.each([
    ['an API key', `pvn_${PAYLOAD}.${MAC}`, new RegExp(`^pvn_${PAYLOAD}\\.[0-9a-f]{64}$`)],
    ['a secret in hex', MAC, /^[0-9a-f]{64}$/],
    ['an admin key', 'pva_Zm9vYmFyYmF6', /^pva_[A-Za-z]{2}[0-9][A-Za-z]{8}[0-9]$/],
    ['a token', 'Tok-en.42_x~y', /^[A-Z][a-z]{2}-[a-z]{2}\.[0-9]{2}_[a-z]~[a-z]$/],
    ['a text', 'a secret of 3 words', /^[a-z] [a-z]{6} [a-z]{2} [0-9] [a-z]{5}$/],
    ['letters of another alphabet', 'schlüssel', /^[a-z]{9}$/],
  ])('have the form of %s', (_, secret, form) => {
    const names = knowing(secret);
    expect(names.of(secret)).toMatch(form);
    expect(names.of(secret)).not.toBe(secret);
    expect(names.in(`x ${secret} y`)).toBe(`x ${names.of(secret)} y`);
  });

  it('are the same each time, and others in another recording', () => {
    const names = knowing(MAC);
    expect(names.in(`{"secret":"${MAC}","again":"Bearer ${MAC}"}`).split(names.of(MAC))).toHaveLength(3);
    expect(knowing(MAC).of(MAC)).not.toBe(names.of(MAC));
    expect(knowing(MAC, `${MAC}0`).of(MAC)).toHaveLength(64);
  });

  it('hide in a header short secrets too, and what is made of a key', () => {
    const key = `pvn_${PAYLOAD}.${MAC}`;
    const names = knowing(key);
    names.add('s3cret', { given: true });
    expect(names.inHeader(`Bearer ${key}`)).toBe(`Bearer ${names.of(key)}`);
    expect(names.inHeader('Bearer s3cret')).toBe(`Bearer ${names.of('s3cret')}`);
    const reversed = [...MAC].reverse().join('');
    expect(names.inHeader(`Bearer pvn_${PAYLOAD}.${reversed}.x`)).toMatch(
      new RegExp(`^Bearer pvn_${PAYLOAD}\\.(?!${reversed}).{64}\\.[a-z]$`),
    );
    expect(names.inHeader('application/json')).toBe('application/json');
  });

  it('find a secret that JSON writes otherwise', () => {
    const secret = 'quoted "secret"';
    const written = JSON.stringify({ secret });
    const told = JSON.parse(knowing(secret).in(written)) as { secret: string };
    expect(told.secret).toMatch(/^[a-z]{6} "[a-z]{6}"$/);
    expect(told.secret).not.toBe(secret);
  });

  it('leave what is no secret, and what is too short to be one', () => {
    const names = knowing('lab', MAC);
    expect(names.in(`lab ${MAC.slice(44)} word`)).toBe(`lab ${MAC.slice(44)} word`);
  });

  it('stand for parts of a secret, and for one that is encoded', () => {
    const names = knowing(MAC);
    for (const written of [MAC.slice(1), Buffer.from(MAC).toString('base64'), MAC.replaceAll('a', '%61')]) {
      const told = names.in(`{"a":"${written}"}`);
      expect(told).not.toContain(written.slice(4, 40));
      expect(JSON.parse(told)).toEqual({ a: expect.any(String) });
    }
  });

  it('stand for a short secret of the user where it is all of a text', () => {
    const names = new Pseudonyms();
    names.add('lab', { given: true });
    expect(names.of('lab')).not.toBe('lab');
    expect(names.in('{"lab":1,"token":"lab"}')).toBe(
      `{"lab":1,"token":"${names.of('lab')}"}`.replace('"lab"', `"${names.of('lab')}"`),
    );
  });
});
