import { describe, expect, it } from 'vitest';
import { createInterner, intern, internAnonymous, numberOf, textOf } from './interner.js';

describe('an interner', () => {
  it('gives equal texts one number and different texts others', () => {
    const interner = createInterner();
    expect(intern(interner, 'a')).toBe(0);
    expect(intern(interner, 'b')).toBe(1);
    expect(intern(interner, 'a')).toBe(0);
    expect(intern(interner, 'A')).toBe(2);
    expect(textOf(interner, 1)).toBe('b');
    expect(numberOf(interner, 'b')).toBe(1);
  });

  it('knows no text that it was not given, names of Object.prototype among them', () => {
    const interner = createInterner();
    for (const text of ['', 'constructor', '__proto__', 'toString']) expect(numberOf(interner, text)).toBe(-1);
    expect(interner.count).toBe(0);
  });

  it('keeps numbers without a text apart from those with one', () => {
    const interner = createInterner();
    const nameless = internAnonymous(interner);
    const named = intern(interner, `#${nameless}`);
    expect(named).not.toBe(nameless);
    expect(textOf(interner, nameless)).toBe('#0');
    expect(interner.texts.size).toBe(1);
  });
});
