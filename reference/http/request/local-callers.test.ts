import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isLoopback, refuseWebPage } from './local-callers.js';

const call = (headers: IncomingMessage['headers']) => ({ headers }) as IncomingMessage;

describe('a call to a server that is reached from this machine alone', () => {
  it.each([
    [{ host: '127.0.0.1:8789' }, undefined],
    [{ host: '127.1.2.3' }, undefined],
    [{ host: '[::1]:8789' }, undefined],
    [{ host: 'LOCALHOST:8789' }, undefined],
    [{ host: 'localhost:8789', origin: 'http://localhost:8789' }, undefined],
    [{ host: 'rebound.example:8789' }, 'HOST_REFUSED'],
    [{ host: '127.0.0.1.rebound.example' }, 'HOST_REFUSED'],
    [{ host: 'localhost.rebound.example' }, 'HOST_REFUSED'],
    [{ host: '' }, 'HOST_REFUSED'],
    [{}, 'HOST_REFUSED'],
    [{ host: 'localhost:8789', origin: 'http://localhost:1' }, 'ORIGIN_REFUSED'],
    [{ host: 'localhost:8789', origin: 'https://page.example' }, 'ORIGIN_REFUSED'],
    [{ host: 'localhost:8789', origin: 'null' }, 'ORIGIN_REFUSED'],
    [{ host: 'localhost:8789', origin: '' }, 'ORIGIN_REFUSED'],
  ])('with %j is refused as %s', (headers, code) => {
    expect(refuseWebPage(call(headers), { loopback: true })?.code).toBe(code);
  });
});

it('a server that others reach may have any name, and no page of another origin', () => {
  expect(refuseWebPage(call({ host: 'ledger.example' }), { loopback: false })).toBeUndefined();
  expect(
    refuseWebPage(call({ host: 'ledger.example', origin: 'http://page.example' }), { loopback: false })?.code,
  ).toBe('ORIGIN_REFUSED');
});

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.0.2.1', false],
])('%s is of this machine alone: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
