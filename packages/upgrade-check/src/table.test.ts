import { replacementRows, tableLines } from './table';

describe('the table of an upgrade', () => {
  it('counts the replies that arrived while a process was replaced', () => {
    const replacement = { name: 'gateway-0', version: '0.2.0', beganAt: 1_000, stopMs: 500, readyMs: 1_900 };
    const answer = { kind: 'answer', text: '', retryAfter: undefined, sentAt: 0 } as const;
    const rows = replacementRows(
      [{ ...replacement, endedAt: 3_000, problem: undefined }],
      [
        { ...answer, status: 200, doneAt: 999 },
        { ...answer, status: 200, doneAt: 1_000 },
        { ...answer, status: 503, doneAt: 2_000 },
        { kind: 'broken', what: 'ECONNRESET', sentAt: 0, doneAt: 2_999 },
        { ...answer, status: 200, doneAt: 3_000 },
      ],
    );
    expect(rows[1]).toEqual(['gateway-0', '0.2.0', '0.5 s', '1.9 s', '3', '1', '1']);
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
