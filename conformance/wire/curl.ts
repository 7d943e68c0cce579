import type { Redactor } from './redact.js';
import type { RawExchange } from './wire.js';

/**
 * A shell script that sends a check's requests again. Every word is quoted for a POSIX shell; a secret stands as a
 * variable, and a comment says which ones to set. Nonces, hashes and signatures are those of the run.
 */
export function curlScript(exchanges: readonly RawExchange[], redactor: Redactor): string {
  const variables = new Set<string>();
  const word = (text: string): string =>
    redactor
      .pieces(text)
      .map((piece) => {
        if ('plain' in piece) return quote(piece.plain);
        variables.add(piece.secret);
        return `"$${piece.secret}"`;
      })
      .join('') || "''";
  const commands = exchanges.map(({ request, response, failure }) => {
    if (request.method === 'NOTE') return `# ${oneLine(failure ?? '')}`;
    const parts = ['curl -sS -i -X', request.method, word(request.url)];
    for (const [name, value] of Object.entries(request.headers)) parts.push('-H', word(`${name}: ${value}`));
    if (request.body !== undefined) parts.push('--data-raw', word(request.body));
    return `${parts.join(' ')}  # ${response === undefined ? `no reply: ${oneLine(failure ?? '')}` : response.status}`;
  });
  const set = [...variables].sort().map((name) => `# set ${name}: ${meaningOf(name)}`);
  return [...set, ...commands].map((line) => `${line}\n`).join('');
}

/** One word for a POSIX shell, whatever it holds. */
function quote(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function meaningOf(name: string): string {
  if (name.startsWith('ALTERED_KEY_')) return 'a key that the check made of another';
  const [, field, number] =
    /^(API_KEY|AGENT_SECRET|REGISTRATION_TOKEN|WEBHOOK_SECRET|ISSUED_KEY)_(\d+)$/.exec(name) ?? [];
  if (field === undefined) return 'from your target file';
  const wire = {
    API_KEY: 'api_key',
    AGENT_SECRET: 'secret',
    REGISTRATION_TOKEN: 'token',
    WEBHOOK_SECRET: 'webhook_secret',
  };
  return `${wire[field as keyof typeof wire] ?? 'key'} number ${number} that the replies below hand out`;
}
