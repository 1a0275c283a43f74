import { misspelledNames, unknownOptions } from './check-unknown';
import type { ParameterDescriptor } from '../descriptor';

const known = ['sendBody', 'sendQuery', 'url'].map((name): ParameterDescriptor => ({
  name,
  label: name,
  type: 'string',
}));
const many = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, index): [string, string] => [
    `sendBod${index % 10}${index}`.slice(0, 9) + '\u0000'.repeat(index),
    'x',
  ]),
);

describe('misspelledNames', () => {
  it.each([
    ['sendBdy', 'sendBody'],
    ['sendbody', 'sendBody'],
    ['sendQuerry', 'sendQuery'],
  ])('takes %s for %s', (name, meant) => {
    expect(misspelledNames({ [name]: 'x' }, known)).toEqual([
      { name, message: `\`${name}\` is not known. Did you mean \`${meant}\`?` },
    ]);
  });

  it.each(['uri', 'options', 'sendHeaders', 'notice', 'body'])('ignores %s: it could be anything', (name) => {
    expect(misspelledNames({ [name]: 'x' }, known)).toEqual([]);
  });

  it('ignores empty values, and names whose similar known name is present too', () => {
    expect(misspelledNames({ sendBdy: '' }, known)).toEqual([]);
    expect(misspelledNames({ sendBdy: 'x', sendBody: true }, known)).toEqual([]);
  });
});

describe('unknownOptions', () => {
  it('names each, and the supported ones', () => {
    expect(unknownOptions({ retries: 3, url: 'x', nothing: {} }, known, known.slice(1))).toEqual([
      {
        name: 'retries',
        message: 'the option `retries` is not supported and has no effect. Supported: sendQuery, url.',
      },
    ]);
  });

  it('reports a bounded number', () => {
    expect(Object.keys(many)).toHaveLength(1_000);
    expect(unknownOptions(many, known, known)).toHaveLength(50);
  });
});
