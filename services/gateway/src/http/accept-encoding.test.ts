import { choosesCoding } from './accept-encoding';

describe('the coding of a response', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['GZIP ; q=1', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=2', undefined],
    ['deflate', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('for %s is %s', (header, coding) => expect(choosesCoding(header)).toBe(coding));
});
