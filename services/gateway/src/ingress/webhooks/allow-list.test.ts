import { createAllowList } from './allow-list';

describe('an allow list', () => {
  it.each([
    [[], '8.8.8.8', true],
    [['10.0.0.0/8'], '10.255.0.1', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['192.168.1.7'], '192.168.1.7', true],
    [['192.168.1.7'], '192.168.1.70', false],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['nonsense'], '10.0.0.1', false],
    [['10.0.0.0/99', '10.0.0.0/x'], '10.0.0.1', false],
    [['10.0.0.1'], '', false],
  ])('%j lets %s in: %s', (entries, address, expected) => {
    expect(createAllowList(entries)(address)).toBe(expected);
  });
});
