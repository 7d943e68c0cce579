/** A shell script of a transcript: what a check sent, to be sent again by curl. It sends nothing itself. */

import { clockMoves } from './clock-moves.js';
import type { Exchange } from './conformance-result.js';
import { SECRET_PLACEHOLDER } from './secret-placeholder.js';
import { shellWord } from './shell-word.js';
import { oneLine } from './visible.js';

/**
 * The requests of a transcript as a script for a POSIX shell, every word quoted. A secret is written as a variable, and a comment
 * says which ones to set; another says where protocol time went on. Nonces, hashes and signatures are those of the run, so
 * a server that has gone on since answers otherwise. Empty for no request.
 */
export function curlScript(transcript: readonly Exchange[]): string {
  const variables = new Set<string>();
  const moves = clockMoves(transcript);
  const commands = transcript.flatMap(({ request, response, failure }, index) => {
    const move = moves[index];
    const moved = move === undefined ? [] : [`# ${move}`];
    if (request.method === 'NOTE') return [...moved, `# ${oneLine(failure ?? '')}`];
    const word = (text: string): string => wordWithVariables(text, variables);
    const parts = ['curl -sS -i -X', shellWord(request.method), word(request.url)];
    for (const [name, value] of Object.entries(request.headers)) parts.push('-H', word(`${name}: ${value}`));
    if (request.body !== undefined) parts.push('--data-raw', word(request.body));
    const came = response === undefined ? `no reply: ${oneLine(failure ?? '')}` : String(response.status);
    return [...moved, `${parts.join(' ')}  # ${came}`];
  });
  const set = [...variables].sort().map((name) => `# set ${name}: ${meaningOf(name)}`);
  return [...set, ...commands].map((line) => `${line}\n`).join('');
}

/** One word for the shell in which each placeholder of a secret is its variable. */
function wordWithVariables(text: string, variables: Set<string>): string {
  // Splitting by a pattern with one group gives the text between and the names in turn.
  const pieces = text.split(SECRET_PLACEHOLDER).map((piece, index) => {
    if (index % 2 === 0) return piece === '' ? '' : shellWord(piece);
    variables.add(piece);
    return `"$${piece}"`;
  });
  return pieces.join('') || "''";
}

const HANDED_OUT: Readonly<Record<string, string>> = {
  API_KEY: 'api_key',
  AGENT_SECRET: 'secret',
  REGISTRATION_TOKEN: 'token',
  WEBHOOK_SECRET: 'webhook_secret',
  ISSUED_KEY: 'key',
};

function meaningOf(name: string): string {
  if (name.startsWith('ALTERED_KEY_')) return 'a key that the check made of another';
  if (name.startsWith('SHARED_API_KEY')) return 'the api_key of an agent that checks of the run share';
  if (name.startsWith('OTHER_')) return 'what a reply to another check hands out';
  if (name === 'PAYMENT_KEY') return 'the key of the wallet that pays';
  const [, kind = '', number] = /^(.+)_(\d+)$/.exec(name) ?? [];
  const field = HANDED_OUT[kind];
  return field === undefined
    ? 'from your target file'
    : `${field} number ${number} that the replies to the requests below hand out`;
}
