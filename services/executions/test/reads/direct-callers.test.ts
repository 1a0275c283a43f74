import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { ExecutionServiceService, type GetExecutionResponse } from '@weft/proto/executions';
import { uuidv7 } from '@weft/service-kit/ids';
import { start, startOf, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('an external caller with an API key', () => {
  let stack: TestStack;
  let replica: Replica;
  let client: Client;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    client = new Client(`127.0.0.1:${replica.port}`, credentials.createInsecure());
  });
  afterAll(async () => {
    client.close();
    await stack.stop();
  });
  const call = <Request, Response>(
    method: {
      path: string;
      requestSerialize: (value: Request) => Buffer;
      responseDeserialize: (bytes: Buffer) => Response;
    },
    request: Request,
    apiKey?: string,
  ) =>
    new Promise<Response>((resolve, reject) => {
      const metadata = new Metadata();
      if (apiKey !== undefined) metadata.set('x-svc-api-key', apiKey);
      client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        metadata,
        { deadline: Date.now() + 5_000 },
        (error, response) => {
          if (error === null && response !== undefined) resolve(response);
          else reject(error ?? new Error('no response'));
        },
      );
    });
  const { getExecution, cancelExecution } = ExecutionServiceService;

  it('reads with the rights of the role', async () => {
    const executionId = await start(replica, stack.workflows.add());
    const answer: GetExecutionResponse = await call(getExecution, { executionId }, 'key-viewer');
    expect(answer.execution?.id).toBe(executionId);
    await expect(call(cancelExecution, { executionId }, 'key-viewer')).rejects.toMatchObject({
      code: status.PERMISSION_DENIED,
    });
    await expect(call(cancelExecution, { executionId }, 'key-owner')).resolves.toMatchObject({
      execution: { id: executionId },
    });
  });

  it('cannot set the id of an execution, a repetition, or a request digest', async () => {
    const { startExecution } = ExecutionServiceService;
    const workflow = stack.workflows.add();
    for (const fields of [{ executionId: uuidv7() }, { repeatedStart: true }, { contentDigest: Buffer.alloc(32) }]) {
      await expect(call(startExecution, { start: startOf(workflow, fields) }, 'key-owner')).rejects.toMatchObject({
        code: status.INVALID_ARGUMENT,
      });
    }
    await expect(call(startExecution, { start: startOf(workflow) }, 'key-owner')).resolves.toMatchObject({
      started: { existing: false },
    });
  });

  it('cannot start a list of executions by one request of the rate limit', async () => {
    const { startExecutions } = ExecutionServiceService;
    const starts = [startOf(stack.workflows.add())];
    await expect(call(startExecutions, { starts }, 'key-owner')).rejects.toMatchObject({
      code: status.PERMISSION_DENIED,
      details: 'Only services may call this.',
    });
  });

  it('is refused an unknown status in a list', async () => {
    const request = { limit: 1, cursor: '', workflowId: '', status: 77 };
    await expect(call(ExecutionServiceService.listExecutions, request, 'key-owner')).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
    });
  });

  it('is refused an unknown kind of wait and an unknown mode', async () => {
    const { startExecution } = ExecutionServiceService;
    const workflow = stack.workflows.add();
    for (const wrong of [{ wait: 77 }, { mode: 77 }])
      await expect(
        call(startExecution, { start: { ...startOf(workflow), ...wrong } }, 'key-owner'),
      ).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  it('is refused without a key and with a wrong one, before the id is checked', async () => {
    await expect(call(getExecution, { executionId: uuidv7() })).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    await expect(call(getExecution, { executionId: uuidv7() }, 'wrong')).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
    });
  });
});
