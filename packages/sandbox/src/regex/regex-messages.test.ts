import fc from 'fast-check';
import { readRegexAnswer } from './regex-messages';

describe('responses of the regex process', () => {
  it.each([
    [{ workMs: 0 }, { workMs: 0 }],
    [{ isLate: true }, { isLate: true }],
    [
      { match: { index: 1, groups: ['a', null] }, workMs: 2.5 },
      { match: { index: 1, groups: ['a', null] }, workMs: 2.5 },
    ],
    [
      { match: { index: 0, groups: ['a'], named: { n: 'a', m: null } }, workMs: 1 },
      { match: { index: 0, groups: ['a'], named: { n: 'a', m: null } }, workMs: 1 },
    ],
  ])('%j is read', (sent, read) => {
    expect(readRegexAnswer(JSON.stringify(sent))).toEqual(read);
  });

  it.each([
    '',
    '{',
    '[]',
    '1',
    'null',
    '{}',
    '{"workMs":"1"}',
    '{"workMs":-1}',
    '{"workMs":1,"match":1}',
    '{"workMs":1,"match":{"index":"0","groups":[]}}',
    '{"workMs":1,"match":{"index":0}}',
  ])('%s is ignored', (text) => {
    expect(readRegexAnswer(text)).toBeUndefined();
  });

  it('with random content are of the right shape, or ignored', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const answer = readRegexAnswer(`{"workMs":1,"match":${json}}`);
        if (answer === undefined || !('match' in answer) || answer.match === undefined) return;
        const { match } = answer;
        expect([typeof match.index, Array.isArray(match.groups)]).toEqual(['number', true]);
      }),
    );
  });
});
