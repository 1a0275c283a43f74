import { candidateKeys, pathParams, routeKey } from './route-key';

describe('routeKey', () => {
  it('replaces every parameter by a colon', () => {
    expect(routeKey('POST', 'orders/:id/lines/:line')).toBe('POST orders/:/lines/:');
  });
});

describe('candidateKeys', () => {
  it('lists every route that matches, the most specific first', () => {
    expect(candidateKeys('GET', '/a/b/c/')).toEqual(['GET a/b/c', 'GET a/b/:', 'GET a/:/c', 'GET a/:/:']);
  });

  it('returns a bounded number: 32 keys for six parts, one for more', () => {
    expect(candidateKeys('GET', 'a/b/c/d/e/f')).toHaveLength(32);
    expect(candidateKeys('GET', 'a/b/c/d/e/f/g')).toEqual(['GET a/b/c/d/e/f/g']);
  });

  it('does not let a request name a placeholder', () => {
    expect(candidateKeys('GET', 'a/:')).toEqual(['GET a/:']);
    expect(candidateKeys('GET', 'a/:/c')).toEqual(['GET a/:/c', 'GET a/:/:']);
    expect(candidateKeys('GET', ':/b')).toEqual([]);
  });

  it('does not match a parameter with an empty part', () => {
    expect(candidateKeys('GET', 'a//c')).toEqual(['GET a//c', 'GET a//:']);
    expect(candidateKeys('GET', '/')).toEqual([]);
  });

  it('includes the key of every route that a request matches', () => {
    expect(candidateKeys('PUT', 'hook/7/x')).toContain(routeKey('PUT', 'hook/:id/x'));
  });
});

describe('pathParams', () => {
  it('reads the values by name', () => {
    expect(pathParams('hook/:user/x/:id', '/hook/ann/x/7')).toEqual({ user: 'ann', id: '7' });
    expect(pathParams('hook', 'hook')).toEqual({});
  });
});
