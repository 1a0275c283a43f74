import fc from 'fast-check';
import { entriesOf, expressionsIn } from './execute-query';

describe('query parameters in a string', () => {
  it('are split as expressions would split them', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '{{', '}}', ',', 'a', ' ') }), (text) => {
        expect(expressionsIn(text)).toEqual(text.match(/\{\{[\s\S]*?\}\}/g) ?? []);
        const entries = text.match(/(?:\{\{[\s\S]*?\}\}|[^,])+/g) ?? [];
        expect(entriesOf(text)).toEqual(entries.map((entry) => entry.trim()));
      }),
      { numRuns: 3_000 },
    );
  });
});
