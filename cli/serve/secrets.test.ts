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
    ['of the environment', {}, 'of the environment'],
    ['of a file, without its line break', { 'control-token-file': fileWith('of a file\r\n') }, 'of a file'],
    ['of its flag', { 'control-token': 'of the flag' }, 'of the flag'],
  ])('%s', (_, flags, secret) => {
    expect(readSecret('control-token', flags, environment)).toBe(secret);
  });

  it('is undefined without any', () => {
    expect(readSecret('registration-secret', {}, environment)).toBeUndefined();
  });

  it.each<[string, Parameters<typeof readSecret>[1], string]>([
    ['given twice', { 'rpc-url': 'http://x', 'rpc-url-file': fileWith('http://y') }, '--rpc-url and --rpc-url-file'],
    ['of an empty file', { 'rpc-url-file': fileWith('\n') }, 'must hold the rpc-url on one line'],
    ['of two lines', { 'rpc-url-file': fileWith('a\nb\n') }, 'must hold the rpc-url on one line'],
    ['of no file', { 'rpc-url-file': '/nowhere' }, '/nowhere: there is no such'],
  ])('%s is refused', (_, flags, message) => {
    const read = (): unknown => readSecret('rpc-url', flags, {});
    expect(read).toThrow(Failure);
    expect(read).toThrow(message);
  });
});
