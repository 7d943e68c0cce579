import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.js';

describe('the address that a client counts by', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::1%0', '0:0:0:0::/64'],
    [`::1%${'z'.repeat(14_000)}`, '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4::/64'],
  ])('of %.50s is %s', (text, address) => {
    expect(clientAddress(text)).toBe(address);
  });

  it.each([
    '',
    'unknown',
    '192.0.2',
    '192.0.2.256',
    '1::2::3',
    '12345::',
    '192.0.2.1:80',
    '[::1]',
    '%0',
    '1:2:3:4:5:6:7:8:9',
  ])('is none of %s', (text) => {
    expect(clientAddress(text)).toBeUndefined();
  });
});
