import { addressOf } from './offers';

describe('the address of a replica', () => {
  it.each([
    ['10.0.0.7', '0.0.0.0', '10.0.0.7:7002'],
    ['10.0.0.7:9', '0.0.0.0', '10.0.0.7:9'],
    ['fd00::1', '0.0.0.0', '[fd00::1]:7002'],
    ['[fd00::1]:9', '0.0.0.0', '[fd00::1]:9'],
    ['', '127.0.0.1', '127.0.0.1:7002'],
    ['', 'localhost', '127.0.0.1:7002'],
    ['', '10.0.0.8', '10.0.0.8:7002'],
  ])('is, advertised as "%s" and listening on "%s", %s', (advertised, host, address) => {
    expect(addressOf(advertised, host, 7002)).toBe(address);
  });

  it('is one of the machine if it listens on all addresses', () => {
    expect(addressOf('', '0.0.0.0', 7002)).toMatch(/^[\d.]+:7002$/);
  });
});
