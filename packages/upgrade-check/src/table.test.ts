import { cutErrors, replacementRows, tableLines } from './table';

describe('the table of an upgrade', () => {
  it('counts the replies that arrived while a process was replaced', () => {
    const replacement = { name: 'gateway-0', version: '0.2.0', beganAt: 1_000, stopMs: 500, readyMs: 1_900 };
    const rows = replacementRows(
      [{ ...replacement, endedAt: 3_000, problem: undefined }],
      [
        { result: 'answered', doneAt: 999 },
        { result: 'answered', doneAt: 1_000 },
        { result: 'refused', doneAt: 2_000 },
        { result: 'cut', doneAt: 2_999 },
        { result: 'late', doneAt: 3_000 },
      ],
    );
    expect(rows[1]).toEqual(['gateway-0', '0.2.0', '0.5 s', '1.9 s', '3', '1', '0', '1']);
  });

  it('counts the errors of connections that were cut', () => {
    const cut = (error: string) => ({ result: 'cut', doneAt: 0, error }) as const;
    expect(cutErrors([cut('ECONNRESET'), cut('EPIPE'), cut('ECONNRESET')])).toBe('2 ECONNRESET, 1 EPIPE');
    expect(cutErrors([{ result: 'answered', doneAt: 0 }])).toBe('0');
  });

  it('aligns names to the left and figures to the right', () => {
    expect(
      tableLines([
        ['process', 'cut'],
        ['a', '10'],
      ]),
    ).toEqual(['process  cut', 'a         10']);
  });
});
