import { readReport } from './read-report';

const read = (report: unknown): unknown => readReport(Buffer.from(JSON.stringify(report)));

describe('a report of the sandbox', () => {
  it('is accepted unchanged if it is valid', () => {
    const report = {
      values: [{ type: 'object', value: { a: 1 } }, { error: { name: 'E', message: 'm', line: 3 } }],
      staticData: { global: { a: 1 }, node: {} },
      customData: { a: 'b' },
    };
    expect(read(report)).toEqual(report);
    expect(read({ error: { name: 'E', message: 'm', description: 'd' }, itemIndex: 1 })).toEqual({
      error: { name: 'E', message: 'm', description: 'd' },
      itemIndex: 1,
    });
  });

  it('is corrected where code forged it', () => {
    expect(read({ error: { message: { a: 1 }, line: -1, name: 5 }, itemIndex: '1' })).toEqual({
      error: { name: 'Error', message: 'Unknown error' },
    });
    expect(read({ value: { type: 5, value: 1 }, staticData: { global: 5 }, customData: { a: { b: 1 } } })).toEqual({
      value: { type: '5', value: 1 },
      staticData: { global: {}, node: {} },
      customData: { a: '[object Object]' },
    });
  });

  it.each([[5], [[]], [{}], [{ value: 5 }], [{ values: [5] }]])('is rejected if it is invalid: %j', (report) => {
    expect(() => read(report)).toThrow('cannot be read');
  });

  it.each([
    '{"value":{"type":"object","value":{"__proto__":{"a":1}}}}',
    '[',
    `{"value":${'['.repeat(200)}${']'.repeat(200)}}`,
  ])('is rejected if it cannot be parsed', (text) => {
    expect(() => readReport(Buffer.from(text))).toThrow('cannot be stored');
  });
});
