import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { lockFolder } from './folder-lock.js';

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  linkSync: () => {
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
  },
}));

it('a folder on a file system without hard links is locked all the same', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'aips-lock-'));
  const lock = await lockFolder(dir);
  await expect(lockFolder(dir)).rejects.toThrow('is using this folder');
  await lock.release();
  await (await lockFolder(dir)).release();
  expect(readdirSync(dir)).toEqual(['lock.2']);
});
