import { runKind } from '../testing/run-kind';

describe('errorTrigger 1', () => {
  const failed = { execution: { id: 'e', error: { message: 'no' } }, workflow: { id: 'w', name: 'W' } };

  it('gives what is known of the execution that failed', async () => {
    expect(
      (await runKind('errorTrigger', { version: 1, isStart: true, mode: 'error', items: [failed] })).outputs,
    ).toEqual([[failed]]);
    expect((await runKind('errorTrigger', { isStart: true, mode: 'manual', items: [failed] })).outputs).toEqual([
      [failed],
    ]);
    expect((await runKind('errorTrigger', { isStart: true, mode: 'error', items: [{}] })).outputs).toEqual([[{}]]);
  });

  it('gives an example of the same form when it is tried out by hand', async () => {
    expect((await runKind('errorTrigger', { isStart: true, mode: 'manual' })).outputs).toEqual([
      [
        {
          execution: expect.objectContaining({
            id: expect.any(String),
            error: expect.objectContaining({ message: expect.any(String) }),
          }),
          workflow: expect.objectContaining({ name: expect.any(String) }),
        },
      ],
    ]);
  });
});
