import { describe, expect, it } from 'vitest';
import { isNonPublicAddress, webhookUrlFault } from './webhook-address.js';

describe('an address', () => {
  it.each([
    ['8.8.8.8', false],
    ['127.0.0.1', true],
    ['127.255.255.254', true],
    ['10.1.2.3', true],
    ['172.15.255.255', false],
    ['172.16.0.0', true],
    ['172.31.255.255', true],
    ['172.32.0.0', false],
    ['192.168.0.1', true],
    ['192.169.0.1', false],
    ['169.254.169.254', true],
    ['100.64.0.1', true],
    ['0.0.0.0', true],
    ['::1', true],
    ['::', true],
    ['fd00::1', true],
    ['fe80::1', true],
    ['2606:4700::1111', false],
    ['::ffff:10.0.0.1', true],
    ['::ffff:a00:1', true],
    ['::ffff:8.8.8.8', false],
    ['::127.0.0.1', true],
    ['::7f00:1', true],
    ['::808:808', false],
    ['64:ff9b::7f00:1', true],
    ['64:ff9b::10.0.0.1', true],
    ['64:ff9b::808:808', false],
    ['64:ff9b:1::808:808', true],
    ['2002:c0a8:1::1', true],
    ['2002:808:808::1', false],
    ['fec0::1', true],
    ['feff::1', true],
    ['fe80::1%eth0', true],
    ['ff02::1', true],
    ['192.0.0.1', true],
    ['192.0.1.1', false],
    ['198.17.255.255', false],
    ['198.18.0.1', true],
    ['198.19.255.255', true],
    ['198.20.0.0', false],
    ['223.255.255.255', false],
    ['224.0.0.1', true],
    ['239.255.255.255', true],
    ['240.0.0.1', true],
    ['255.255.255.255', true],
    ['::ffff:808:808', false],
  ])('%s is closed: %s', (address, closed) => {
    expect(isNonPublicAddress(address)).toBe(closed);
  });

  it('is an IP address', () => {
    expect(() => isNonPublicAddress('example.com')).toThrow(RangeError);
  });
});

describe('a url', () => {
  it.each([
    ['https://hooks.example.com/x', true, true],
    ['https://8.8.8.8/x', true, true],
    ['http://hooks.example.com/x', false, false],
    ['https://localhost/x', false, true],
    ['https://a.localhost/x', false, true],
    ['https://localhost./x', false, true],
    ['https://127.0.0.1./x', false, true],
    ['http://localhost:9/x', false, true],
    ['http://127.0.0.1:9/x', false, true],
    ['http://[::1]:9/x', false, true],
    ['https://127.1/x', false, true],
    ['https://0x7f000001/x', false, true],
    ['https://[::ffff:127.0.0.1]/x', false, true],
    ['https://10.0.0.1/x', false, true],
    ['http://10.0.0.1/x', false, false],
    ['ftp://localhost/x', false, false],
    ['nonsense', false, false],
    ['https://[::127.0.0.1]/x', false, true],
    ['https://[64:ff9b::7f00:1]/x', false, true],
    ['https://[2002:a00:1::1]/x', false, true],
    ['https://[2606:4700::1111]/x', true, true],
    ['https://printer.local/x', false, true],
    ['https://printer.local./x', false, true],
    ['https://local.example.com/x', true, true],
    ['https://user:password@hooks.example.com/x', false, false],
    ['https://user@hooks.example.com/x', false, false],
  ])('%s: open to all %s, with loopback allowed %s', (url, open, allowed) => {
    expect([webhookUrlFault(url, false) === null, webhookUrlFault(url, true) === null]).toEqual([open, allowed]);
  });
});
