import type { Fields, ListStyle } from '../settings';
import { queryString, withQuery } from './query-string';

describe('a query', () => {
  it.each<[ListStyle, string]>([
    ['repeat', 'a=1&a=2&o%5Bx%5D=1&o%5By%5D%5Bz%5D=2&n=&t=true'],
    ['brackets', 'a%5B%5D=1&a%5B%5D=2&o%5Bx%5D=1&o%5By%5D%5Bz%5D=2&n=&t=true'],
    ['indices', 'a%5B0%5D=1&a%5B1%5D=2&o%5Bx%5D=1&o%5By%5D%5Bz%5D=2&n=&t=true'],
  ])('writes arrays in the style %s', (style, expected) => {
    const fields: Fields = [
      ['a', [1, 2]],
      ['o', { x: 1, y: { z: '2' } }],
      ['n', null],
      ['t', true],
    ];
    expect(queryString(fields, style)).toBe(expected);
  });

  it('encodes every character that could start another field', () => {
    expect(queryString([['a&b=c', 'd&e=f g#ä+\ud800']], 'repeat')).toBe('a%26b%3Dc=d%26e%3Df%20g%23%C3%A4%2B%EF%BF%BD');
  });

  it('is appended to the query of a URL, and drops the fragment', () => {
    expect(withQuery('https://x.example/p?a=1#top', [['b', 2]], 'repeat')).toBe('https://x.example/p?a=1&b=2');
    expect(withQuery('https://x.example/p', [], 'repeat')).toBe('https://x.example/p');
  });
});
