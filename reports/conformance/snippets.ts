/** One recorded request as a program that sends it: by curl, JavaScript, Python and Go. It sends nothing itself. */

import type { Exchange } from '../../results/conformance-result.js';
import { SECRET_PLACEHOLDER } from '../../results/secret-placeholder.js';
import { shellWord } from '../text/shell-word.js';

type Sent = Exchange['request'];

/** A program in a language, with the name by which readers know it. */
interface Snippet {
  readonly language: string;
  readonly code: string;
}

/** A text in pieces: what is between placeholders of secrets, and at odd places the names of their variables. */
const piecesOf = (text: string): readonly string[] => text.split(SECRET_PLACEHOLDER);

/**
 * The request in four languages, with the standard library of each. A secret is an environment variable of the name of its placeholder. A program
 * prints the status and the body of the reply.
 */
export function snippets(request: Sent): readonly Snippet[] {
  return [
    { language: 'curl', code: curl(request) },
    { language: 'JavaScript', code: javascript(request) },
    { language: 'Python', code: python(request) },
    { language: 'Go', code: go(request) },
  ];
}

function curl({ method, url, headers, body }: Sent): string {
  const word = (text: string): string => {
    const pieces = piecesOf(text).map((piece, at) =>
      at % 2 === 1 ? `"$${piece}"` : piece === '' ? '' : shellWord(piece),
    );
    return pieces.join('') || "''";
  };
  const parts = [
    `curl -sS -w '\\n%{http_code}\\n' -X ${shellWord(method)} ${word(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${word(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${word(body)}`]),
  ];
  return `${parts.join(' \\\n  ')}\n`;
}

/** A text as an expression: literals as JSON has them, which these languages read alike, and variables between them. */
function expression(text: string, variable: (name: string) => string, literal = quoted): string {
  const pieces = piecesOf(text).map((piece, at) =>
    at % 2 === 1 ? variable(piece) : piece === '' ? '' : literal(piece),
  );
  return pieces.filter((piece) => piece !== '').join(' + ') || '""';
}

/** JSON of the text with every character outside of ASCII escaped, one UTF-16 unit each. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Python and Go write a character beyond the first 65,536 as one number, and do not know surrogates. */
const quotedByPoint = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^ -~]/gu, (character) => {
    const point = (character.codePointAt(0) ?? 0).toString(16);
    return point.length > 4 ? `\\U${point.padStart(8, '0')}` : `\\u${point.padStart(4, '0')}`;
  });

function javascript({ method, url, headers, body }: Sent): string {
  const text = (value: string): string => expression(value, (name) => `process.env.${name}`);
  return [
    `const reply = await fetch(${text(url)}, {`,
    `  method: ${quoted(method)},`,
    '  headers: {',
    ...Object.entries(headers).map(([name, value]) => `    ${quoted(name)}: ${text(value)},`),
    '  },',
    ...(body === undefined ? [] : [`  body: ${text(body)},`]),
    '});',
    'console.log(await reply.text());',
    'console.log(reply.status);',
    '',
  ].join('\n');
}

function python({ method, url, headers, body }: Sent): string {
  const text = (value: string): string => expression(value, (name) => `os.environ["${name}"]`, quotedByPoint);
  return [
    'import os, urllib.error, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${text(url)},`,
    `    method=${quoted(method)},`,
    '    headers={',
    ...Object.entries(headers).map(([name, value]) => `        ${quoted(name)}: ${text(value)},`),
    '    },',
    ...(body === undefined ? [] : [`    data=(${text(body)}).encode(),`]),
    ')',
    'try:',
    '    reply = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as refusal:',
    '    reply = refusal',
    'print(reply.read().decode())',
    'print(reply.status)',
    '',
  ].join('\n');
}

function go({ method, url, headers, body }: Sent): string {
  const text = (value: string): string => expression(value, (name) => `os.Getenv("${name}")`, quotedByPoint);
  const all = `${url}${body ?? ''}${Object.values(headers).join('')}`;
  const names = ['fmt', 'io', 'net/http', ...(piecesOf(all).length > 1 ? ['os'] : []), 'strings'];
  return [
    'package main',
    '',
    'import (',
    ...names.filter((name) => name !== 'strings' || body !== undefined).map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest(${quoted(method)}, ${text(url)}, ${body === undefined ? 'nil' : `strings.NewReader(${text(body)})`})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...Object.entries(headers).map(([name, value]) => `\trequest.Header.Set(${quoted(name)}, ${text(value)})`),
    '\treply, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer reply.Body.Close()',
    '\tbody, err := io.ReadAll(reply.Body)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tfmt.Println(string(body))',
    '\tfmt.Println(reply.StatusCode)',
    '}',
    '',
  ].join('\n');
}
