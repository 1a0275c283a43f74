import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkResponse, LIMITS, LimitExceeded, limitSentence, type Limit } from '.';

const page = readFileSync(join(__dirname, '../../../../../docs/limits.md'), 'utf8');

const shown = ({ max, unit }: Limit): string => {
  if (unit === 'bytes' && max % (1024 * 1024) === 0) return `${max / (1024 * 1024)} MiB`;
  const number = max.toLocaleString('en-US');
  return unit === 'items' ? number : `${number} ${unit}`;
};

describe('the table of limits', () => {
  it('is what docs/limits.md shows', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name, value]) => `${name} ${value}`);
    expect(rows).toEqual(Object.values(LIMITS).map((limit) => `${limit.name} ${shown(limit)}`));
  });

  it('is named in the error of a value that exceeds it', () => {
    expect(limitSentence(LIMITS.nodeOutput, 40 * 1024 * 1024)).toBe(
      'The output of the node has 40 MB; the limit is 32 MB (NODE_OUTPUT_BYTES).',
    );
    expect(new LimitExceeded(LIMITS.responseHeaders, 101)).toMatchObject({
      kind: 'too-large',
      message: 'The number of headers of the response is 101; the limit is 100 (RESPONSE_HEADERS).',
      details: { limit: 'RESPONSE_HEADERS' },
    });
  });

  it('bounds a response by its headers, their bytes and its body', () => {
    const header = (value: string) => ({ name: 'x', value });
    const named = (check: () => void): string => {
      try {
        check();
        return '';
      } catch (error) {
        return error instanceof LimitExceeded ? (error.details['limit'] ?? '') : 'other';
      }
    };
    expect(named(() => checkResponse([header('ok')], 10))).toBe('');
    expect(
      named(() =>
        checkResponse(
          Array.from({ length: 101 }, () => header('')),
          0,
        ),
      ),
    ).toBe('RESPONSE_HEADERS');
    expect(named(() => checkResponse([header('v'.repeat(70_000))], 0))).toBe('RESPONSE_HEADER_BYTES');
    expect(named(() => checkResponse([], 13 * 1024 * 1024))).toBe('RESPONSE_BODY_BYTES');
  });
});
