import { bodyValue, errorOf } from '../testing/fixed-scope';

describe('marks in a replacement', () => {
  it.each([
    ["'Hello NAME'.replace('NAME', '$<x>$$')", 'Hello $<x>$'],
    ["'Hello NAME'.replace('NAME', '$<$&>')", 'Hello $<NAME>'],
    ["'ab'.replace(/(?<x>a)/, '[$<x>$<y>]')", '[a]b'],
    ["'ab'.replace(/(?<x>a)/, '[$<x')", '[$<xb'],
    ["'ab'.replace(/(?<x>a)/, '$<__proto__>$<constructor>')", 'b'],
    ["'ab'.replace(/(a)/, '$1$2$01$$1')", 'a$2a$1b'],
    ["'aXb'.replace('X', '$`$\\'')", 'aabb'],
  ])('%s is %s', (body, expected) => {
    expect(bodyValue(body)).toBe(expected);
  });

  it('are counted', () => {
    expect(errorOf("={{ 'x'.repeat(1000).replaceAll('', '$&'.repeat(100000)) }}").message).toMatch(/steps|longer/);
  });
});
