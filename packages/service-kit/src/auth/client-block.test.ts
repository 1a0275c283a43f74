import { clientBlock } from './client-block';

describe('the block of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:0:12::7', '2001:db8:0:12::/64'],
    ['2001:DB8:0:12:FFFF:1:2:3', '2001:db8:0:12::/64'],
    ['2001:0db8::0012:0:0:0:1', '2001:db8:0:12::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('of %s is %s', (address, block) => {
    expect(clientBlock(address)).toBe(block);
  });
});
