import { knownTags, wantedTags } from './entity-tags';

describe('If-None-Match', () => {
  it.each([
    [undefined, []],
    ['"a"', ['a']],
    ['W/"a"', ['a']],
    ['"a", W/"b" ,"c,d"', ['a', 'b', 'c,d']],
    [', "a",, "b"', ['a', 'b']],
    ['""', ['']],
    ['a', []],
    ['"a" "b"', []],
    ['"a", *', []],
    ['"a', []],
  ])('%j names %j', (header, tags) => {
    expect(knownTags({ 'if-none-match': header })).toEqual({ isAny: false, tags });
  });

  it('matches any state with *', () => {
    expect(knownTags({ 'if-none-match': ' * ' })).toEqual({ isAny: true, tags: [] });
  });
});

describe('If-Match', () => {
  it.each([
    [undefined, []],
    ['*', []],
    ['"a","b"', ['a', 'b']],
    ['W/"a"', ['W/a']],
  ])('%j demands %j', (header, tags) => {
    expect(wantedTags({ 'if-match': header })).toEqual(tags);
  });

  it.each(['a', '', ',', '"a" x', '"a", *'])('%j is refused', (header) => {
    expect(() => wantedTags({ 'if-match': header })).toThrow('If-Match cannot be used.');
  });
});
