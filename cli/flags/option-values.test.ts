import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../runs/host/failure.js';
import { aips } from '../../test/fixtures/aips.js';
import { refuseMisreadOptions } from './option-values.js';

describe('a switch takes true or false, or no value', () => {
  it.each([
    ['serve', '--byo-wallet=yes'],
    ['serve', '--beats-required=1'],
    ['serve', '--byoWallet=on'],
    ['serve', '--trust-forwarded-for=TRUE'],
    ['serve', '--json='],
    ['conform', '--strict=0'],
  ])('aips %s %s is refused', async (command, option) => {
    const { status, stdout, stderr } = await aips(tmpdir(), command, option);
    const [name, value] = option.split('=');
    expect(stderr).toContain(`${name} takes true or false, or no value for true; "${value}" is neither.`);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  it.each([
    ['--byo-wallet=true', true],
    ['--byo-wallet=false', false],
    ['--byo-wallet', true],
  ])('%s is not', (option, byoWallet) => {
    expect(() => refuseMisreadOptions(['serve', option], { byoWallet })).not.toThrow();
  });

  it('and what follows -- is no option', () => {
    expect(() => refuseMisreadOptions(['sign', '--', '--json=yes'], { json: true })).not.toThrow();
  });
});

describe('any other option needs its value', () => {
  it.each([
    [['--port'], { port: undefined }],
    [['--port', '--json'], { port: undefined, json: true }],
    [['--port='], { port: Number.NaN }],
    [['--control-token', ''], { controlToken: '' }],
    [['--only'], { only: [] }],
  ])('%j is refused', (options, given) => {
    expect(() => refuseMisreadOptions(['serve', ...options], given)).toThrow(Failure);
    expect(() => refuseMisreadOptions(['serve', ...options], given)).toThrow(/ needs a value\.$/);
  });

  it.each([
    [['--port', '0'], { port: 0 }],
    [['--seed', '-1'], { seed: -1 }],
    [['--no-byo-wallet'], { byoWallet: false }],
    [['--message=--x'], { message: '--x' }],
  ])('%j is not', (options, given) => {
    expect(() => refuseMisreadOptions(['serve', ...options], given)).not.toThrow();
  });
});
