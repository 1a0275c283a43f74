import { ifMatchOrAbsent, knownTags, wantedTags } from './entity-tags';

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

describe('a condition to add or replace', () => {
  it('has the empty tag for what must not exist, and otherwise those of If-Match', () => {
    expect(ifMatchOrAbsent({ 'if-none-match': '*' })).toEqual({ condition: { etags: [''] } });
    expect(ifMatchOrAbsent({ 'if-match': '"a"' })).toEqual({ condition: { etags: ['a'] } });
    expect(ifMatchOrAbsent({})).toEqual({});
  });

  it.each([{ 'if-none-match': '"a"' }, { 'if-none-match': '*', 'if-match': '"a"' }])('is refused as %j', (headers) => {
    expect(() => ifMatchOrAbsent(headers)).toThrow('If-None-Match cannot be used.');
  });
});
