import { describe, expect, it } from 'vitest';
import { HOSTILE } from '../../test/fixtures/results.js';
import { anchorOf, escapeHtml, html, trusted, withCode } from './markup.js';

describe('html', () => {
  it('escapes text in elements and attributes, and takes HTML as it is', () => {
    expect(
      html`<a title="${'"><b>'}">${'<i>'}${html`<b>${'&'}</b>`}${3}${undefined}${['x', html`<br>`]}</a>`.text,
    ).toBe('<a title="&quot;&gt;&lt;b&gt;">&lt;i&gt;<b>&amp;</b>3x<br></a>');
    expect(html`${trusted('<svg></svg>')}`.text).toBe('<svg></svg>');
  });

  it('leaves no sign of markup in hostile text', () => {
    expect(escapeHtml(HOSTILE)).not.toMatch(/[<>"'\p{Cc}\u202e]/u);
    expect(escapeHtml("it's <b>")).toBe('it&#39;s &lt;b&gt;');
  });

  it('marks code between backticks', () => {
    expect(withCode('give `a: <b>`, or `c`').text).toBe('give <code>a: &lt;b&gt;</code>, or <code>c</code>');
  });
});

describe('anchorOf', () => {
  it.each([
    ['check', 'heartbeat/too-soon', 'check-heartbeat__too-soon'],
    ['clause', 'heartbeat.interval.min', 'clause-heartbeat.interval.min'],
    ['check', 'a_b', 'check-a_5f_b'],
    ['check', '"> 🙂', 'check-_22__3e__20__1f642_'],
  ])('%s %j is %s', (kind, name, anchor) => {
    expect(anchorOf(kind, name)).toBe(anchor);
  });

  it('differs for names that differ', () => {
    const names = ['a/b', 'a__b', 'a_b', 'a-b', 'a.b', 'a b', 'A/b', 'a_2f_b'];
    expect(new Set(names.map((name) => anchorOf('x', name))).size).toBe(names.length);
  });
});
