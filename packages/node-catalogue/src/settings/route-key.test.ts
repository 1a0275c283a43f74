import { candidateKeys, keyRange, overlappingKeys, pathParams, routeKey } from './route-key';

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

describe('overlappingKeys', () => {
  const overlap = (one: string, other: string): boolean => {
    const [first, second] = [routeKey('POST', one), routeKey('POST', other)];
    const { from, to } = keyRange(first);
    expect(second >= from && second < to).toBe(second.startsWith(from));
    expect(overlappingKeys(second).test(first)).toBe(overlappingKeys(first).test(second));
    return overlappingKeys(first).test(second);
  };

  it.each([
    ['api/customers/:id', 'api/customers/acme'],
    ['api/:kind/acme', 'api/customers/:id'],
    ['api/:a/:b', 'api/x/y'],
    ['api/:a/:b', 'api/:c/y'],
    ['api/a.b', 'api/:x'],
    ['a/b', 'a/b'],
  ])('%s and %s', (one, other) => expect(overlap(one, other)).toBe(true));

  it.each([
    ['api/customers/:id', 'api/customers'],
    ['api/customers/:id', 'api/customers/acme/orders'],
    ['api/:kind/acme', 'api/:kind/other'],
    ['api/customers/:id', 'api/orders/:id'],
    ['api/:id', 'apix/:id'],
    ['api/a.b', 'api/axb'],
    ['a+/b', 'aa/b'],
  ])('not %s and %s', (one, other) => expect(overlap(one, other)).toBe(false));

  it('only within a method', () => {
    expect(overlappingKeys(routeKey('GET', 'a/:b')).test(routeKey('POST', 'a/b'))).toBe(false);
  });

  it('finds the key of every route that a request reaches', () => {
    const keys = candidateKeys('GET', 'a/b.c/d');
    for (const one of keys) for (const other of keys) expect(overlappingKeys(one).test(other)).toBe(true);
  });
});

describe('pathParams', () => {
  it('reads the values by name', () => {
    expect(pathParams('hook/:user/x/:id', '/hook/ann/x/7')).toEqual({ user: 'ann', id: '7' });
    expect(pathParams('hook', 'hook')).toEqual({});
  });
});
