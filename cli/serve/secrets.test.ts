import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../runs/host/failure.js';
import { readSecret } from './secrets.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-secrets-'));
const fileWith = (text: string): string => {
  const path = join(folder, `${Buffer.from(text).toString('hex')}.txt`);
  writeFileSync(path, text);
  return path;
};
const environment = { AIPS_CONTROL_TOKEN: 'of the environment' };

describe('a secret', () => {
  it.each<[string, Parameters<typeof readSecret>[1], string]>([
    ['of the environment', undefined, 'of the environment'],
    ['of a file, without its line break', `@${fileWith('of a file\r\n')}`, 'of a file'],
    ['of its option', 'of the option', 'of the option'],
  ])('%s', (_, flags, secret) => {
    expect(readSecret('control-token', flags, environment)).toBe(secret);
  });

  it('is undefined without any', () => {
    expect(readSecret('registration-secret', undefined, environment)).toBeUndefined();
  });

  it.each<[string, Parameters<typeof readSecret>[1], string]>([
    ['of an empty file', `@${fileWith('\n')}`, 'must hold the rpc-url on one line'],
    ['of two lines', `@${fileWith('a\nb\n')}`, 'must hold the rpc-url on one line'],
    ['of no file', '@/nowhere', '/nowhere: there is no such'],
  ])('%s is refused', (_, flags, message) => {
    const read = (): unknown => readSecret('rpc-url', flags, {});
    expect(read).toThrow(Failure);
    expect(read).toThrow(message);
  });
});
