import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SecondServer, startSecondServer } from './second-server/server.js';
import { importsOf, root } from './source-tree.js';

let server: SecondServer;
beforeAll(async () => {
  server = await startSecondServer();
});
afterAll(() => server.close());

async function call(
  url: string,
  body?: object,
  key?: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const reply = await fetch(url, init);
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

describe('the second server', () => {
  it('imports nothing of this repository, and no package but those of the same cryptography', () => {
    const folder = join(root, 'test', 'second-server');
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(10);
    for (const name of files) {
      const path = `test/second-server/${name}`;
      const { imports, packages } = importsOf(path, readFileSync(join(folder, name), 'utf8'));
      expect(
        imports.filter((each) => !each.startsWith('test/second-server/')),
        name,
      ).toEqual([]);
      expect(
        packages.filter((each) => !/^(node:|@noble\/)/.test(each)),
        name,
      ).toEqual([]);
    }
  });

  it('registers an agent, starts its chain and freezes it when it has missed 61 anchors', async () => {
    const made = await call(`${server.url}/api/v1/register`, { name: 'one' });
    expect(made.body).toMatchObject({ ok: true, type: 'root', parent: null, depth: 0, wallet_chain: null });
    const key = String(made.body['api_key']);
    expect((await call(`${server.url}/api/v1/agent/init`, {})).body).toMatchObject({ code: 'AUTH_MISSING' });
    expect((await call(`${server.url}/api/v1/agent/init`, {}, key)).body).toMatchObject({
      status: 'active',
      difficulty: 1000,
    });
    for (const [anchors, status] of [
      [60, 'active'],
      [1, 'frozen'],
    ] as const) {
      await call(`${server.controlUrl}/control/v1/clock/advance`, { anchors }, 'lab');
      expect((await call(`${server.url}/api/v1/agent/init`, {}, key)).body).toMatchObject({ status });
    }
  });
});
