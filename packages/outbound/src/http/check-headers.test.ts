import { validateHeaderName, validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { OutboundRefused } from './outbound-http';
import { checkHeaders, checkMethod } from './check-headers';

const ruleOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof OutboundRefused ? error.rule : 'another error';
  }
};

describe('request headers', () => {
  it.each([
    ['x-a\r\nx-b', 'v', 'header-name'],
    ['x a', 'v', 'header-name'],
    ['x:a', 'v', 'header-name'],
    ['', 'v', 'header-name'],
    ['ä', 'v', 'header-name'],
    ['x-a', 'v\r\nx-b: 1', 'header-value'],
    ['x-a', 'v\n', 'header-value'],
    ['x-a', 'v\0', 'header-value'],
    ['x-a', '\u0101', 'header-value'],
    ['x-a', '\u560a', 'header-value'],
    ['Host', 'v', 'reserved-header'],
    ['CONTENT-LENGTH', '1', 'reserved-header'],
    ['Transfer-Encoding', 'chunked', 'reserved-header'],
    ['connection', 'close', 'reserved-header'],
    ['Proxy-Authorization', 'v', 'reserved-header'],
    ['Upgrade', 'h2c', 'reserved-header'],
    ['TE', 'trailers', 'reserved-header'],
  ])('refuse %j: %j by %s', (name, value, rule) => {
    expect(ruleOf(() => checkHeaders([[name, value]]))).toBe(rule);
  });

  it('are refused beyond 200 of them and beyond 64 KiB', () => {
    expect(ruleOf(() => checkHeaders(Array.from({ length: 201 }, (_, n): [string, string] => [`x-${n}`, 'v'])))).toBe(
      'header-count',
    );
    expect(ruleOf(() => checkHeaders([['x-big', 'v'.repeat(66_000)]]))).toBe('header-size');
  });

  it('preserve the first spelling, the order and repeated names', () => {
    const headers = checkHeaders([
      ['X-A', '1'],
      ['b', '2'],
      ['x-a', '3'],
    ]);
    expect([...headers.values()]).toEqual([
      { name: 'X-A', values: ['1', '3'] },
      { name: 'b', values: ['2'] },
    ]);
  });

  it('never pass anything that the wire would read as more than one header', () => {
    const nasty = fc.string({
      unit: fc.constantFrom('a', '-', ':', ' ', '\r', '\n', '\0', '\t', '\u000b', '\u0085', '\u2028', 'ÿ', 'Ā', '嘊'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string()), fc.oneof(nasty, fc.string({ unit: 'binary' })), (name, value) => {
        try {
          checkHeaders([[name, value]]);
        } catch (error) {
          return error instanceof OutboundRefused;
        }
        validateHeaderName(name);
        validateHeaderValue(name, value);
        return !/[\r\n\0]/.test(name + value);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the request method', () => {
  it.each(['CONNECT', 'trace', 'GET /x HTTP/1.1\r\n', '', 'A B'])('%j is refused', (method) => {
    expect(ruleOf(() => checkMethod(method))).toBe('method');
  });

  it('is sent in upper case', () => {
    expect(checkMethod('propfind')).toBe('PROPFIND');
  });
});
