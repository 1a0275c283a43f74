import fc from 'fast-check';
import { addressList, subjectLine } from './header-text';

const outcome = (work: () => string | undefined): string | undefined => {
  try {
    return work();
  } catch {
    return 'refused';
  }
};

describe('the headers of a mail', () => {
  it('are read as expressions would read them', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:,; \n\r\t!') }), (text) => {
        const list = text
          .trim()
          .replace(/\s*([,;])\s*/g, '$1 ')
          .trim();
        const expected = /[\u0000-\u001f\u007f]/.test(list) ? 'refused' : list === '' ? undefined : list;
        expect(outcome(() => addressList(text, 'recipient', 0))).toBe(expected);
        const isHeader = /[\r\n]+\s*[!-9;-~]+:/.test(text);
        expect(outcome(() => subjectLine(text, 0)) === 'refused').toBe(isHeader);
      }),
      { numRuns: 2_000 },
    );
  });
});
