import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import {
  connect,
  detailsOf,
  events,
  EventService,
  executions,
  ExecutionService,
  HealthService,
  message,
  reasonOf,
  WorkflowService,
  type Connection,
  type TlsOptions,
} from '@weft/grpc';
import { borrowStack, giveStackBack, makeAuthority, type Stack } from '@weft/local-stack';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallWorkflow } from '../../support/workflows';

describe('a program with @weft/grpc', () => {
  let stack: Stack;
  let toWorkflows: Connection;
  let toExecutions: Connection;

  beforeAll(async () => {
    stack = await borrowStack();
    toWorkflows = connect({ target: stack.grpcTargets.workflows, apiKey: stack.apiKey });
    toExecutions = connect({ target: stack.grpcTargets.executions, apiKey: stack.apiKey });
  });
  afterAll(async () => {
    toWorkflows?.close();
    toExecutions?.close();
    await giveStackBack(stack);
  });

  const store = async (file: object): Promise<string> => {
    const definition = Buffer.from(JSON.stringify(file));
    const { workflow } = await toWorkflows.call(WorkflowService.createWorkflow, { definition, summary: true });
    return workflow?.id ?? '';
  };

  it('starts a workflow once, follows its events to the last, and reads its data', async () => {
    const start = message(executions.ExecutionStart, {
      workflowId: await store(smallWorkflow('grpc-package')),
      input: Buffer.from('{"body":{"n":41}}'),
      idempotencyKey: 'grpc-package',
    });
    const { started } = await toExecutions.call(ExecutionService.startExecution, { start });
    const executionId = started?.executionId ?? '';
    const again = await toExecutions.call(ExecutionService.startExecution, { start });
    expect(again.started).toMatchObject({ executionId, existing: true });

    const seen: string[] = [];
    for await (const { frame } of toExecutions.stream(EventService.streamEvents, { executionId })) {
      if (frame?.$case === 'event') seen.push(frame.value.kind?.$case ?? '');
      if (frame?.$case === 'end') seen.push(events.StreamEnd[frame.value] ?? '');
    }
    expect(seen).toEqual(['accepted', 'nodeFinished', 'nodeFinished', 'ended', 'STREAM_END_COMPLETE']);

    const parts: Uint8Array[] = [];
    for await (const part of toExecutions.stream(ExecutionService.readExecutionData, { executionId }))
      parts.push(part.jsonPart);
    expect(Buffer.concat(parts).toString('utf8')).toContain('"total":42');
  });

  it('learns the reason and the ids of a refusal, and the invalid fields of a request', async () => {
    const missing: unknown = await toWorkflows
      .call(WorkflowService.getWorkflow, { workflowId: 'unknown' })
      .catch((error: unknown) => error);
    expect(missing).toMatchObject({ code: status.NOT_FOUND });
    expect(detailsOf(missing)).toMatchObject({ reason: 'WORKFLOW_NOT_FOUND', metadata: { workflowId: 'unknown' } });
    const invalid: unknown = await store({ name: '', nodes: 'none' }).catch((error: unknown) => error);
    expect(invalid).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(detailsOf(invalid)?.fields.map(({ field }) => field)).toContain('nodes');
  });

  it('has no reason for an address where nothing listens', async () => {
    const nowhere = connect({ target: '127.0.0.1:1', apiKey: stack.apiKey });
    const error: unknown = await nowhere
      .call(WorkflowService.listWorkflows, {})
      .catch((refusal: unknown) => refusal)
      .finally(() => nowhere.close());
    expect(error).toMatchObject({ code: status.UNAVAILABLE });
    expect(reasonOf(error)).toBeUndefined();
  });

  it('reads a definition that is larger than the limit of grpc-js', async () => {
    const notes = 'x'.repeat(6_000_000);
    const workflowId = await store({ ...smallWorkflow('grpc-package-large'), notes });
    const { workflow } = await toWorkflows.call(WorkflowService.getWorkflow, { workflowId });
    expect(workflow?.definition.length).toBeGreaterThan(notes.length);
    await toWorkflows.call(WorkflowService.deleteWorkflow, { workflowId });
  });
});

describe('a connection of @weft/grpc with certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-grpc-package-'));
  const authority = makeAuthority(folder);
  const client = authority.issue('client', ['weft-grpc-client']);
  const server = new Server();
  let target = '';

  beforeAll(async () => {
    const { key, certificate } = authority.issue('server', ['weft-workflows']);
    const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) };
    server.addService(HealthService, {
      check: (_: unknown, answer: (error: null, response: { status: number }) => void) => answer(null, { status: 1 }),
      watch: () => undefined,
    });
    const tls = ServerCredentials.createSsl(Buffer.from(authority.certificate), [pair], true);
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', tls, (error, bound) => (error === null ? resolve(bound) : reject(error))),
    );
    target = `127.0.0.1:${port}`;
  });
  afterAll(() => {
    server.forceShutdown();
    rmSync(folder, { recursive: true });
  });

  const ca = authority.certificate;
  const own = { ca, cert: client.certificate, key: client.key };
  const check = async (tls: TlsOptions): Promise<unknown> => {
    const connection = connect({ target, apiKey: 'key', tls });
    try {
      return await connection.call(HealthService.check, {});
    } finally {
      connection.close();
    }
  };

  it('calls a server of the same authority under the name in its certificate', async () => {
    expect(await check({ ...own, serverName: 'weft-workflows' })).toEqual({ status: 1 });
  });

  it.each<[string, TlsOptions]>([
    ['whose certificate has another name', own],
    ['that asks for a certificate, without one', { ca, serverName: 'weft-workflows' }],
    ['of an unknown authority', { cert: own.cert, key: own.key, serverName: 'weft-workflows' }],
  ])('refuses a server %s', async (_, tls) => {
    await expect(check(tls)).rejects.toMatchObject({ code: status.UNAVAILABLE });
  });
});
