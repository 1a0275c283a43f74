import { runKind } from '../testing/cases/run-kind';

describe('errorTrigger 1', () => {
  const failed = { execution: { id: 'e', error: { message: 'no' } }, workflow: { id: 'w', name: 'W' } };

  it('outputs the details of the failed execution', async () => {
    expect(
      (await runKind('errorTrigger', { version: 1, isStart: true, mode: 'error', items: [failed] })).outputs,
    ).toEqual([[failed]]);
    expect((await runKind('errorTrigger', { isStart: true, mode: 'manual', items: [failed] })).outputs).toEqual([
      [failed],
    ]);
    expect((await runKind('errorTrigger', { isStart: true, mode: 'error', items: [{}] })).outputs).toEqual([[{}]]);
  });

  it('outputs an example of the same form in a manual run', async () => {
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
