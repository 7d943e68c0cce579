import { describe, expect, it } from 'vitest';
import { HOSTILE } from '../../test/fixtures/results.js';
import { anchorOf, apart, html, raw, textOfMarkup, withCode } from './markup.js';

describe('html', () => {
  it('escapes text in elements and attributes, and takes markup as it is', () => {
    const inner = html`<b>${'&'}</b>`;
    expect(
      textOfMarkup(
        html`<a title=${`"><b>'`} hidden=${false} open=${true}>${'<i>'}${inner}${3}${undefined}${['x', html`<br />`]}</a>`,
      ),
    ).toBe(`<a title="&quot;>&lt;b>'" open>&lt;i><b>&amp;</b>3x<br/></a>`);
    expect(textOfMarkup(html`<style ...${raw('a>b{}')}></style>`)).toBe('<style>a>b{}</style>');
  });

  it('leaves no sign of markup in hostile text', () => {
    const shown = textOfMarkup(html`<p title=${HOSTILE}>${HOSTILE}</p>`);
    expect(shown.slice(3, -4)).not.toMatch(/<|[\p{Cc}\u202e]/u);
    expect(shown.match(/"/gu)).toHaveLength(2);
  });

  it('marks code between backticks', () => {
    expect(textOfMarkup(withCode('give `a: <b>`, or `c`'))).toBe('give <code>a: &lt;b></code>, or <code>c</code>');
  });
});

describe('apart', () => {
  it('changes ids and what refers to them, and nothing else', () => {
    const part = html`<p id="a" title="#a"><a href="#a b" aria-describedby="a b">#a</a></p>`;
    expect(textOfMarkup(apart([part], 'x'))).toBe(
      '<p id="x-a" title="#a"><a href="#x-a b" aria-describedby="x-a x-b">#a</a></p>',
    );
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
