// Makes markup of the project's Markdown for the site: headings with the anchors that GitHub gives them, links between documents, ids that
// have a page as links, tables that scroll. It reads and writes no file.
import { posix } from 'node:path';
import { Marked } from 'marked';

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const plain = (html) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const anchorOf = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A document of so many parts has a list of them at its beginning. */
const PARTS_MIN = 6;

const DECISION = /\bD-\d\d\b/g;

/**
 * The markup of a document, its title, and its sections for the search. `path`: where it is in the repository. `hrefOf(path)`: the address of a file
 * of the repository on the site; it throws for one that is not there. `thingOf(id)`: the address of the page of an id, or undefined.
 */
export function documentMarkup(path, text, { address, hrefOf, thingOf }) {
  const root = '../'.repeat(address.split('/').length - 1);
  const taken = new Map();
  const sections = [{ anchor: '', title: '', text: '' }];
  const say = (words) => {
    sections.at(-1).text += ` ${words}`;
  };
  let inLink = false;
  const linked = (id, shown) => {
    const to = inLink ? undefined : thingOf(id);
    return to === undefined ? shown : `<a href="${root}${to}">${shown}</a>`;
  };
  const link = (href) => {
    if (/^(https?:|mailto:|#)/.test(href)) return href;
    const [file, anchor] = href.split('#');
    return `${root}${hrefOf(posix.normalize(posix.join(posix.dirname(path), file)))}${anchor === undefined ? '' : `#${anchor}`}`;
  };
  const cell = (html, tag, scope) => `<${tag}${scope === undefined ? '' : ` scope="${scope}"`}>${html}</${tag}>`;
  const renderer = {
    html: ({ text: raw }) => (raw.trim().startsWith('<!--') ? '' : escaped(raw)),
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens);
      const title = plain(html);
      const base = anchorOf(title);
      const times = taken.get(base) ?? 0;
      taken.set(base, times + 1);
      const anchor = times === 0 ? base : `${base}-${times}`;
      sections.push({ anchor: depth === 1 ? '' : anchor, depth, title, text: '' });
      return `<h${depth} id="${anchor}">${html}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      inLink = true;
      const html = this.parser.parseInline(tokens);
      inLink = false;
      return `<a href="${escaped(link(href))}">${html}</a>`;
    },
    image: ({ href, text: alt }) => `<img src="${escaped(link(href))}" alt="${escaped(alt)}" />`,
    codespan({ text: code }) {
      say(code);
      return linked(code, `<code>${escaped(code)}</code>`);
    },
    code({ text: code }) {
      say(code);
      return `<div class="script"><pre><code>${escaped(code)}</code></pre></div>\n`;
    },
    text(token) {
      if (token.tokens !== undefined) return this.parser.parseInline(token.tokens);
      say(token.text);
      return escaped(token.text).replaceAll(DECISION, (id) => linked(id, id));
    },
    table({ header, rows }) {
      const inline = (each) => this.parser.parseInline(each.tokens);
      const heads = header.map(inline);
      const head = heads.some((html) => html !== '')
        ? `<thead><tr>${heads.map((html) => (html === '' ? '<td></td>' : cell(html, 'th', 'col'))).join('')}</tr></thead>`
        : '';
      const body = rows.map((row) => {
        const [first, ...rest] = row.map(inline);
        return `<tr>${cell(first, 'th', 'row')}${rest.map((html) => cell(html, 'td')).join('')}</tr>`;
      });
      const name = escaped(sections.at(-1).title);
      return `<div class="scroll card" role="group" aria-label="Table: ${name}" tabindex="0"><table>${head}<tbody>${body.join('')}</tbody></table></div>\n`;
    },
  };
  // A bare address is text: the escapes within it are ours.
  const tokenizer = { url: () => undefined };
  const markup = new Marked({ renderer, tokenizer }).parse(text);
  const [, first] = sections;
  const found = sections.filter(({ title }) => title !== '').map((each) => ({ ...each, text: each.text.trim() }));
  const parts = sections.filter(({ depth }) => depth === 2);
  const contents = `<ul class="contents">${parts.map(({ anchor, title }) => `<li><a href="#${anchor}">${escaped(title)}</a></li>`).join('')}</ul>`;
  const withContents = parts.length < PARTS_MIN ? markup : markup.replace('</h1>', () => `</h1>${contents}`);
  return { markup: withContents, title: first?.title ?? path, sections: found };
}
