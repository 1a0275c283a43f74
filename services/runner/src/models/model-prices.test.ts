import { currentPrices, readModelPrices } from './model-prices';

const price = { input: 1, output: 2 };

describe('a price file', () => {
  it('has the price of a model by the pattern with the most characters, and by its name first', () => {
    const prices = readModelPrices(
      JSON.stringify({
        '*': { input: 0, output: 0 },
        'gpt-*': { input: 1, output: 1 },
        'gpt-*-mini': { input: 2, output: 2 },
        'gpt-5-mini': { input: 3, output: 3 },
        'openai/*:free': { input: 4, output: 4 },
      }),
    );
    const named = ['gpt-5', 'gpt-4o-mini', 'gpt-5-mini', 'openai/x:free', 'claude', 'gpt-mini'];
    expect(named.map((name) => prices.patternOf(name))).toEqual([
      'gpt-*',
      'gpt-*-mini',
      'gpt-5-mini',
      'openai/*:free',
      '*',
      'gpt-*',
    ]);
    expect(prices.priceOf('gpt-5-mini')).toEqual({ input: 3, output: 3 });
  });

  it('has none for a model that no pattern names', () => {
    const prices = readModelPrices(JSON.stringify({ 'a*b*c': price }));
    expect(['abc', 'aXbYc'].map((name) => prices.priceOf(name))).toEqual([price, price]);
    expect(['ac', 'abx', 'acb', 'xabc', 'A-b-c'].map((name) => prices.priceOf(name))).toEqual(Array(5).fill(undefined));
  });

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'is not a JSON object such as { "gpt-4o*"'],
    ['{"": {"input": 1, "output": 2}}', 'use 1 to 100 characters'],
    [`{"${'x'.repeat(101)}": {"input": 1, "output": 2}}`, 'use 1 to 100 characters'],
    ['{"a": 1}', 'no prices for "a"'],
    ['{"a": {"input": 1}}', 'no prices for "a": "input" and "output" must be numbers, 0 or more'],
    ['{"a": {"input": "1", "output": 2}}', 'no prices for "a"'],
    ['{"a": {"input": -1, "output": 2}}', 'no prices for "a"'],
    ['{"a": {"input": 1, "output": 2, "cached": 3}}', 'has "cached" for "a"'],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`m${at}`, price]))), 'more than 500'],
  ])('refuses %.40j with the reason', (text, reason) => {
    expect(() => readModelPrices(text)).toThrow(reason);
  });

  it('is read again when its text has changed', () => {
    let text = '';
    const prices = currentPrices(() => text);
    expect(prices()).toBeUndefined();
    text = JSON.stringify({ a: price });
    const first = prices();
    expect(first?.priceOf('a')).toEqual(price);
    expect(prices()).toBe(first);
    text = JSON.stringify({ a: { input: 5, output: 6 } });
    expect(prices()?.priceOf('a')).toEqual({ input: 5, output: 6 });
  });
});
