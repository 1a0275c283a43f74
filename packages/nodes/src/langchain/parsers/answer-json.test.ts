import { ANSWER_LIMITS, readAnswerJson } from './answer-json';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('the JSON in an answer', () => {
  it.each([
    ['alone', '{"a":1}', [{ a: 1 }]],
    ['with space around it', '\n {"a":1} \n', [{ a: 1 }]],
    ['in a fenced block', '```json\n{"a":1}\n```', [{ a: 1 }]],
    ['in a block without a language', 'Here:\n```\n{"a":1}\n```\nDone.', [{ a: 1 }]],
    ['in a block without line ends', '```{"a":1}```', [{ a: 1 }]],
    ['with text around it', 'Sure! {"a":{"b":"}"}} Is that right?', [{ a: { b: '}' } }]],
    ['with quotes in strings', 'x {"a":"\\"}"} y', [{ a: '"}' }]],
    ['after a list in the text', 'See [1]. {"a":1}', [[1], { a: 1 }]],
    ['after a bracket in the text', 'Between { and: {"a":1}', [{ a: 1 }]],
    ['in a block after brackets in the text', 'Not [ or { or [ or {:\n```json\n{"a":1}\n```', [{ a: 1 }]],
    ['as a list', '[1,2]', [[1, 2]]],
    ['as a string', '"x"', ['x']],
    ['with a block in a string', '{"a":"```json\\n{}\\n```"}', [{ a: '```json\n{}\n```' }]],
  ])('is read %s', (_, text, values) => {
    expect(readAnswerJson(text).slice(0, values.length)).toEqual(values);
  });

  it.each([
    ['prose', 'I cannot do that.', 'It is not valid JSON.'],
    ['half an object', '{"a": [1, 2', 'It is not valid JSON.'],
    ['nothing', '  ', 'It is empty.'],
    ['a prototype', '{"__proto__": {"x": 1}}', 'It has a key "__proto__".'],
    ['deep lists', nested(ANSWER_LIMITS.depth + 1), 'It is nested deeper than 64 levels.'],
    ['very deep lists', nested(100_000), 'It is nested deeper than 64 levels.'],
    ['an infinite number', '{"a": 1e999}', 'It has a number beyond 1.8e308.'],
    ['10 MB', `{"a":"${'x'.repeat(10_000_000)}"}`, 'It has 10000008 characters; at most 1048576 are read.'],
  ])('is refused if it is %s', (_, text, reason) => {
    expect(() => readAnswerJson(text)).toThrow(reason);
  });

  it('is looked for in linear time', () => {
    const start = performance.now();
    expect(() => readAnswerJson('{"'.repeat(ANSWER_LIMITS.characters / 2))).toThrow('It is not valid JSON.');
    expect(() => readAnswerJson('[] x '.repeat(ANSWER_LIMITS.characters / 5))).not.toThrow();
    expect(() => readAnswerJson('```'.repeat(ANSWER_LIMITS.characters / 3))).toThrow('It is not valid JSON.');
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
