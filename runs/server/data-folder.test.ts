import { describe, expect, it } from 'vitest';
import { Failure } from '../host/failure.js';
import { orFailure } from './data-folder.js';

const failing = (code: string) => () =>
  Promise.reject(Object.assign(new Error(`${code}: no, write`), { code, errno: -28, syscall: 'write' }));

describe('a data folder that the disk does not take', () => {
  it.each([
    ['ENOSPC', /^the disk is full\. Nothing was started\. The disk of the data folder is full: make room on it/],
    ['EROFS', /mounted for reading alone/],
    ['EIO', /^the disk reports an error\. Nothing was started\.$/],
  ])('%s: the start says what to do', async (code, message) => {
    const told = orFailure(failing(code));
    await expect(told).rejects.toThrow(Failure);
    await expect(orFailure(failing(code))).rejects.toThrow(message);
  });

  it('a mistake of the program stays one', async () => {
    await expect(orFailure(() => Promise.reject(new TypeError('x is undefined')))).rejects.toThrow(TypeError);
  });
});
