import { credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { ErrorInfo } from '@weft/proto/error-details';
import { ExecutionServiceClient, type ExecutionStart } from '@weft/proto/executions';
import { Status } from '@weft/proto/rpc-status';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { smallWorkflow } from '../../support/workflows';

const startOf = (workflowId: string, idempotencyKey: string): ExecutionStart => ({
  workflowId,
  idempotencyKey,
  input: Buffer.alloc(0),
  startNode: '',
  wait: 0,
  waitMs: 0,
  usePinData: true,
  mode: 0,
  versionId: '',
  ownerId: '',
});

/** The details of an error over gRPC. */
const infoOf = (error: ServiceError): ErrorInfo => {
  const bytes = error.metadata.get('grpc-status-details-bin')[0];
  const status = Status.decode(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0));
  return ErrorInfo.decode(status.details[0]?.value ?? new Uint8Array());
};

describe('a start while the workflows service does not answer', () => {
  let stack: Stack;
  let rest: Rest;
  let executions: ExecutionServiceClient;
  let workflowId = '';
  const metadata = new Metadata();

  beforeAll(async () => {
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    metadata.set('x-svc-api-key', stack.apiKey);
    executions = new ExecutionServiceClient(stack.grpcTargets.executions, credentials.createInsecure());
    workflowId = textOf(await rest('POST', '/workflows', smallWorkflow('refused')), 'id');
  });
  afterAll(async () => {
    executions?.close();
    await giveStackBack(stack);
  });

  const overGrpc = (start: ExecutionStart): Promise<ServiceError | string | undefined> =>
    new Promise((resolve) => {
      executions.startExecution({ start }, metadata, (error, answer) => resolve(error ?? answer.started?.executionId));
    });

  it('is refused for certain over REST and gRPC alike, and its repetition is the only run of its key', async () => {
    const headers = { 'idempotency-key': 'rest' };
    for (const one of stack.of('workflows')) one.kill('SIGSTOP');
    const [answer, error] = await Promise.all([
      rest('POST', `/workflows/${workflowId}/execute`, {}, headers),
      overGrpc(startOf(workflowId, 'grpc')),
    ]);
    for (const one of stack.of('workflows')) one.kill('SIGCONT');

    const message = expect.stringMatching(/The workflows service did not answer in time\. Nothing was started\.$/);
    expect([answer.status, answer.json.error]).toEqual([
      503,
      { code: 'SERVICE_UNAVAILABLE', message, details: { reason: 'REQUEST_TIMED_OUT', started: 'no' } },
    ]);
    if (!(error instanceof Error)) throw new Error('The start over gRPC was accepted.');
    expect(error.details).toEqual(message);
    expect(infoOf(error)).toMatchObject({ reason: 'REQUEST_TIMED_OUT', metadata: { started: 'no' } });
    expect(listOf(await rest('GET', `/executions?workflowId=${workflowId}`))).toEqual([]);

    const again = await rest('POST', `/workflows/${workflowId}/execute`, {}, headers);
    const once = dataOf(again)['executionId'];
    const twice = await rest('POST', `/workflows/${workflowId}/execute`, {}, headers);
    const byGrpc = await overGrpc(startOf(workflowId, 'grpc'));
    expect([again.status, dataOf(twice)['executionId']]).toEqual([201, once]);
    expect(
      listOf(await rest('GET', `/executions?workflowId=${workflowId}`))
        .map(({ id }) => id)
        .sort(),
    ).toEqual([once, byGrpc].sort());
  });
});
