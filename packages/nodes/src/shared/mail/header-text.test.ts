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
  it.each([
    ['a list of addresses', (text: string) => addressList(text, 'recipient', 0)],
    ['a subject', subjectLine],
  ] as const)('are refused if %s is too long to be read or sent', (_what, read) => {
    const longest = 'a'.repeat(262_144);
    expect(read(longest)).toBe(longest);
    expect(() => read(`${longest}a`)).toThrow('has 262145 characters; at most 262144 are allowed');
  });

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
