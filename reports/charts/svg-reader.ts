/**
 * Reads the SVG files that the charts write: elements with their attributes, of the names in a table. It is no reader of any other XML.
 */

type Attributes = ReadonlyMap<string, string>;

/** An element with its attributes, those of `style` among them. */
export interface SvgElement {
  readonly name: string;
  readonly given: Attributes;
  readonly children: readonly (SvgElement | string)[];
}

/** The attributes of each element that may be there. */
type KnownNames = Readonly<Record<string, readonly string[]>>;

const TOKEN = /<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Attributes that mean nothing on paper; all text is in Helvetica. */
const IGNORED = new Set(['class', 'id', 'role', 'xmlns', 'font-family', 'xml:space']);

/** The root of an SVG file, of elements and attributes that `known` lists. RangeError for any other, and for a text that is no SVG. */
export function readSvg(svg: string, known: KnownNames): SvgElement {
  const open: { name: string; given: Attributes; children: (SvgElement | string)[] }[] = [
    { name: '', given: new Map(), children: [] },
  ];
  const text = svg.trim();
  let end = 0;
  for (const [token, closes, name, attributes = '', empty, words] of text.matchAll(TOKEN)) {
    end += token.length;
    const inner = open.at(-1);
    if (name === undefined) inner?.children.push(plain(words ?? ''));
    else if (closes === '/') {
      if (open.length < 2 || open.pop()?.name !== name)
        throw new RangeError(`a figure closes <${name}>, which is not open`);
    } else {
      const element = { name, given: attributesOf(name, attributes, known[name]), children: [] };
      inner?.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  const [root] = open[0]?.children ?? [];
  if (end < text.length || open.length > 1 || typeof root !== 'object' || root.name !== 'svg')
    throw new RangeError(`a figure is no SVG that can be read from character ${end + 1} on`);
  return root;
}

function attributesOf(name: string, text: string, known: readonly string[] | undefined): Attributes {
  if (known === undefined) throw new RangeError(`a figure has <${name}>, which is not drawn in PDF`);
  const all = [...text.matchAll(ATTRIBUTE)].flatMap(([, key = '', value = '']) =>
    key === 'style' ? plain(value).split(';').flatMap(styleOf) : [[key, plain(value)] as const],
  );
  const given = all.filter(([key]) => !IGNORED.has(key) || (name === 'clipPath' && key === 'id'));
  const other = given.find(([key]) => key !== 'id' && !known.includes(key));
  if (other !== undefined) throw new RangeError(`a figure has ${other[0]} in <${name}>, which is not drawn in PDF`);
  return new Map(given);
}

function styleOf(declaration: string): readonly (readonly [string, string])[] {
  const [key = '', value = ''] = declaration.split(':').map((part) => part.trim());
  return key === '' ? [] : [[key, value.replace(/px$/, '')]];
}

function plain(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name?: string) =>
    code === undefined ? (ENTITIES[name ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
  );
}

/** The elements in an element. */
export function elementsIn({ children }: SvgElement): readonly SvgElement[] {
  return children.flatMap((child) => (typeof child === 'string' ? [] : [child]));
}
