import { credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import {
  ExecutionServiceClient,
  ExecutionState,
  ReadBinaryResponse,
  ReadExecutionDataResponse,
  StartWait,
  type StartExecutionResponse,
} from '@weft/proto/executions';
import {
  WorkflowServiceClient,
  type ActivateWorkflowResponse,
  type CreateWorkflowResponse,
  type DeactivateWorkflowResponse,
  type GetWorkflowResponse,
  type ReplaceWorkflowResponse,
  type GetVersionsResponse,
  type ListWorkflowsResponse,
} from '@weft/proto/workflows';
import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, listOf, restClient, textOf } from '../../support/rest';
import { smallWorkflow } from '../../support/workflows';

type Answer<Response> = (error: ServiceError | null, response: Response) => void;
const call = <Response>(send: (answer: Answer<Response>) => unknown): Promise<Response> =>
  new Promise((resolve, reject) => send((error, response) => (error === null ? resolve(response) : reject(error))));

describe('an internal service that calls gRPC directly with the generated stubs', () => {
  let stack: Stack;
  let workflows: WorkflowServiceClient;
  let executions: ExecutionServiceClient;
  const metadata = new Metadata();

  beforeAll(async () => {
    stack = await borrowStack();
    metadata.set('x-svc-api-key', stack.apiKey);
    workflows = new WorkflowServiceClient(stack.grpcTargets.workflows, credentials.createInsecure());
    executions = new ExecutionServiceClient(stack.grpcTargets.executions, credentials.createInsecure());
  });
  afterAll(async () => {
    workflows?.close();
    executions?.close();
    await giveStackBack(stack);
  });

  it('creates, replaces, activates and lists a definition of 5 MB within the default message size', async () => {
    const file = { ...smallWorkflow('grpc-large'), name: 'large', notes: 'x'.repeat(5_000_000) };
    const definition = Buffer.from(JSON.stringify(file));
    const create = { definition, active: false, summary: true, idempotencyKey: 'large' };
    const { workflow } = await call<CreateWorkflowResponse>((answer) =>
      workflows.createWorkflow(create, metadata, answer),
    );
    const workflowId = workflow?.id ?? '';
    expect(workflow).toMatchObject({ name: 'large', definition: Buffer.alloc(0) });
    const repeated = await call<CreateWorkflowResponse>((answer) => workflows.createWorkflow(create, metadata, answer));
    expect(repeated.workflow).toEqual(workflow);
    const replace = { workflowId, definition, ifVersionId: '', ifEtags: [], summary: true };
    await call<ReplaceWorkflowResponse>((answer) => workflows.replaceWorkflow(replace, metadata, answer));
    const change = { workflowId, ifEtags: [], summary: true };
    const activated = await call<ActivateWorkflowResponse>((answer) =>
      workflows.activateWorkflow(change, metadata, answer),
    );
    expect(activated.workflow).toMatchObject({ active: true, definition: Buffer.alloc(0) });
    const listed = await call<ListWorkflowsResponse>((answer) =>
      workflows.listWorkflows({ limit: 100, cursor: '', summary: true }, metadata, answer),
    );
    expect(listed.workflows.map(({ id }) => id)).toContain(workflowId);
    const read = await call<GetWorkflowResponse>((answer) =>
      workflows.getWorkflow({ workflowId, knownEtags: [], summary: true }, metadata, answer),
    );
    expect(read.workflow).toMatchObject({ active: true });
    // Without the summary the response does not fit.
    await expect(
      call<GetWorkflowResponse>((answer) => workflows.getWorkflow({ workflowId, knownEtags: [] }, metadata, answer)),
    ).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    const deactivated = await call<DeactivateWorkflowResponse>((answer) =>
      workflows.deactivateWorkflow(change, metadata, answer),
    );
    expect(deactivated.workflow).toMatchObject({ active: false });
    await call((answer) => workflows.deleteWorkflow({ workflowId, ifEtags: [] }, metadata, answer));
  });

  it('stores, activates, starts and reads with an API key, and sees exact states', async () => {
    const file = smallWorkflow('grpc-small');
    const request = { definition: Buffer.from(JSON.stringify(file)), active: true };
    const { workflow } = await call<CreateWorkflowResponse>((answer) =>
      workflows.createWorkflow(request, metadata, answer),
    );
    expect(workflow).toMatchObject({ active: true, name: file.name });
    expect((await callWebhook(stack.baseUrls[0] ?? '', 'grpc-small', { n: 1 })).status).toBe(200);

    const start = {
      workflowId: workflow?.id ?? '',
      input: Buffer.from('{"body":{"n":41}}'),
      startNode: '',
      idempotencyKey: 'grpc-client',
      wait: StartWait.START_WAIT_END,
      waitMs: 20_000,
      usePinData: true,
      mode: 0,
      versionId: '',
      ownerId: '',
    };
    const { started } = await call<StartExecutionResponse>((answer) =>
      executions.startExecution({ start }, metadata, answer),
    );
    expect(started?.ended?.state).toBe(ExecutionState.EXECUTION_STATE_SUCCESS);
    const again = await call<StartExecutionResponse>((answer) =>
      executions.startExecution({ start }, metadata, answer),
    );
    expect([again.started?.executionId, again.started?.existing]).toEqual([started?.executionId, true]);

    const parts: Buffer[] = [];
    for await (const part of executions.readExecutionData({ executionId: started?.executionId ?? '' }, metadata))
      parts.push(Buffer.from(part.jsonPart));
    const data: { resultData: { runData: Record<string, { data: { main: { json: unknown }[][] } }[]> } } = JSON.parse(
      Buffer.concat(parts).toString('utf8'),
    );
    expect(data.resultData.runData['Set']?.[0]?.data.main[0]?.[0]?.json).toEqual({ total: 42 });
  });

  it('reads records and files of many megabytes with the message limit that gRPC clients have by default', async () => {
    const rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const text = 'ü'.repeat(3_000_000);
    const id = textOf(await rest('POST', '/workflows', smallWorkflow('grpc-large')), 'id');
    const executionId = textOf(
      await rest('POST', `/workflows/${id}/execute`, { wait: true, data: { text } }),
      'executionId',
    );
    const sizes: number[] = [];
    const parts: Buffer[] = [];
    for await (const part of executions.readExecutionData({ executionId }, metadata)) {
      sizes.push(ReadExecutionDataResponse.encode(part).finish().length);
      parts.push(Buffer.from(part.jsonPart));
    }
    expect(Buffer.concat(parts).includes(`"text":"${text}"`)).toBe(true);

    const bytes = Buffer.alloc(9_000_000, 'weft');
    const upload = smallWorkflow('grpc-file', { responseMode: 'lastNode' });
    await rest('POST', '/workflows', { ...upload, active: true });
    await fetch(`${stack.baseUrls[0]}/webhook/grpc-file`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: bytes,
    });
    const [newest] = listOf(await rest('GET', '/executions?limit=1&includeData=true'));
    const fileId = /"id":"([^"]+)","mimeType":"image\/png"/.exec(JSON.stringify(newest))?.[1] ?? '';
    const file: Buffer[] = [];
    for await (const piece of executions.readBinary({ executionId: String(newest?.['id']), fileId }, metadata)) {
      sizes.push(ReadBinaryResponse.encode(piece).finish().length);
      file.push(Buffer.from(piece.data));
    }
    expect(Buffer.concat(file).equals(bytes)).toBe(true);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
  });

  it('is refused without a key, with a wrong one, and where only services may call', async () => {
    const refused = (using: Metadata) =>
      call<ListWorkflowsResponse>((answer) =>
        workflows.listWorkflows({ limit: 0, cursor: '', summary: false }, using, answer),
      );
    await expect(refused(new Metadata())).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    const wrong = new Metadata();
    wrong.set('x-svc-api-key', `${stack.apiKey.slice(0, -1)}x`);
    await expect(refused(wrong)).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    await expect(
      call<GetVersionsResponse>((answer) => workflows.getVersions({ versionIds: [] }, metadata, answer)),
    ).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
  });

  it('cannot pass for a service by setting what only services may set', async () => {
    const start = {
      workflowId: '00000000-0000-7000-8000-000000000000',
      input: Buffer.alloc(0),
      startNode: '',
      idempotencyKey: '',
      wait: 0,
      waitMs: 0,
      usePinData: true,
      mode: 3,
      versionId: 'x',
      ownerId: 'me',
    };
    await expect(
      call<StartExecutionResponse>((answer) => executions.startExecution({ start }, metadata, answer)),
    ).rejects.toMatchObject({ code: expect.any(Number) });
  });
});
