/** Writes XML: text, attributes and elements, for JUnit and SVG. */

import { visible } from '../../results/visible.js';

/** Text for between the tags of an XML 1.0 document. */
export function xmlText(text: string): string {
  // Character data must not contain `]]>`, so every `>` is written as a reference.
  return visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An attribute with a space before it. Line ends and tabs are kept, which a parser would otherwise turn into spaces. */
function xmlAttribute(name: string, value: string | number): string {
  const text = xmlText(String(value)).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
  return ` ${name}="${text}"`;
}

/** An element: its attributes in the order given, and its children or text, already XML. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[] = [],
): string {
  const open =
    name +
    Object.entries(attributes)
      .map(([key, value]) => xmlAttribute(key, value))
      .join('');
  return children.length === 0 ? `<${open}/>` : `<${open}>${children.join('')}</${name}>`;
}
