import { runKind } from '../testing/cases/run-kind';

describe('stopAndError', () => {
  it('fails with the message', async () => {
    expect((await runKind('stopAndError', { parameters: { errorMessage: 'Not a valid id' } })).error).toMatchObject({
      name: 'NodeOperationError',
      message: 'Not a valid id',
    });
  });

  it('accepts an expression as the message', async () => {
    expect(
      (await runKind('stopAndError', { parameters: { errorMessage: '=No order {{ $json.id }}' }, items: [{ id: 7 }] }))
        .error?.message,
    ).toBe('No order 7');
  });

  it.each([
    ['{"code": 404, "message": "gone"}', 'gone'],
    ["{ description: 'why' }", 'why'],
    ['{"code": 1}', 'Error: {"code":1}'],
  ])('fails with the message of the object %s', async (errorObject, message) => {
    const { error } = await runKind('stopAndError', { parameters: { errorType: 'errorObject', errorObject } });
    expect(error?.message).toBe(message);
    expect(error?.context).toHaveProperty('errorObject');
  });

  it('reports a value that is not an object', async () => {
    expect(
      (await runKind('stopAndError', { parameters: { errorType: 'errorObject', errorObject: '{' } })).error?.message,
    ).toContain('not a valid JSON');
  });
});
