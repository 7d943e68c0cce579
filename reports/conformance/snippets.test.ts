import { describe, expect, it } from 'vitest';
import { snippets } from './snippets.js';

const request = {
  method: 'POST',
  url: 'http://127.0.0.1:8787/api/v1/agent/heartbeat',
  headers: { 'content-type': 'application/json', authorization: 'Bearer [API_KEY_1]' },
  body: `{"payment_tx":"it's ☕ 🙂"}`,
};
const codeOf = (language: string, of = request): string =>
  snippets(of).find((each) => each.language === language)?.code ?? '';

describe('a request as a program', () => {
  it('is one command of curl, with a variable for a secret', () => {
    expect(
      codeOf('curl'),
    ).toBe(`curl -sS -w '\\n%{http_code}\\n' -X POST http://127.0.0.1:8787/api/v1/agent/heartbeat \\
  -H 'content-type: application/json' \\
  -H 'authorization: Bearer '"$API_KEY_1" \\
  --data-raw '{"payment_tx":"it'\\''s ☕ 🙂"}'
`);
  });

  it('has the literals of its language', () => {
    expect(codeOf('JavaScript')).toContain('"authorization": "Bearer " + process.env.API_KEY_1,');
    expect(codeOf('JavaScript')).toContain(String.raw`body: "{\"payment_tx\":\"it's \u2615 \ud83d\ude42\"}",`);
    expect(codeOf('Python')).toContain('"authorization": "Bearer " + os.environ["API_KEY_1"],');
    expect(codeOf('Python')).toContain(String.raw`data=("{\"payment_tx\":\"it's \u2615 \U0001f642\"}").encode(),`);
    expect(codeOf('Go')).toContain('request.Header.Set("authorization", "Bearer " + os.Getenv("API_KEY_1"))');
  });

  it('imports in Go what it uses, since Go compiles nothing else', () => {
    const imports = (of: typeof request): string | undefined => /\(\n([^)]*)\n\)/.exec(codeOf('Go', of))?.[1];
    expect(imports(request)).toBe('\t"fmt"\n\t"io"\n\t"net/http"\n\t"os"\n\t"strings"');
    const { body: _, ...without } = request;
    expect(imports({ ...without, headers: {} } as unknown as typeof request)).toBe('\t"fmt"\n\t"io"\n\t"net/http"');
  });
});
