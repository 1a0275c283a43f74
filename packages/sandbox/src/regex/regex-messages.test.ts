import fc from 'fast-check';
import { readRegexAnswer } from './regex-messages';

describe('answers of the process for regular expressions', () => {
  it.each([
    [{}, {}],
    [{ isLate: true }, { isLate: true }],
    [{ match: { index: 1, groups: ['a', null] } }, { match: { index: 1, groups: ['a', null] } }],
    [
      { match: { index: 0, groups: ['a'], named: { n: 'a', m: null } } },
      { match: { index: 0, groups: ['a'], named: { n: 'a', m: null } } },
    ],
  ])('%j is read', (sent, read) => {
    expect(readRegexAnswer(JSON.stringify(sent))).toEqual(read);
  });

  it.each(['', '{', '[]', '1', 'null', '{"match":1}', '{"match":{"index":"0","groups":[]}}', '{"match":{"index":0}}'])(
    '%s is none',
    (text) => {
      expect(readRegexAnswer(text)).toBeUndefined();
    },
  );

  it('that are made up are of the right shape, or none', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const match = readRegexAnswer(`{"match":${json}}`)?.match;
        if (match === undefined) return;
        expect([typeof match.index, Array.isArray(match.groups)]).toEqual(['number', true]);
      }),
    );
  });
});
