import { credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { WorkflowServiceClient } from '@weft/proto/workflows';
import { node, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('an external caller', () => {
  let service: TestService;
  let client: WorkflowServiceClient;
  beforeAll(async () => {
    service = await startService();
    client = new WorkflowServiceClient(`ipv4:127.0.0.1:${service.port}`, credentials.createInsecure());
  });
  afterAll(async () => {
    client.close();
    await service.stop();
  });

  const metadataOf = (headers: Readonly<Record<string, string>>): Metadata => {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return metadata;
  };
  const create = (headers: Readonly<Record<string, string>>) =>
    new Promise<{ code: number; ownerId: string | undefined }>((resolve) => {
      client.createWorkflow(
        workflowOf([node('Set', 'set')]),
        metadataOf(headers),
        { deadline: Date.now() + 10_000 },
        (error: ServiceError | null, answer) =>
          resolve({ code: error?.code ?? status.OK, ownerId: error === null ? answer.workflow?.ownerId : undefined }),
      );
    });

  it('with an API key acts as the user of the key, with that role', async () => {
    expect(await create({ 'x-svc-api-key': 'key-editor' })).toEqual({ code: status.OK, ownerId: 'user-of-key-editor' });
    expect(await create({ 'x-svc-api-key': 'key-viewer' })).toMatchObject({ code: status.PERMISSION_DENIED });
  });

  it.each([
    [{}],
    [{ 'x-svc-api-key': 'wrong' }],
    [{ 'x-svc-api-key': '' }],
    [{ 'x-weft-service-token': 'a.b' }],
    [{ authorization: 'Bearer x' }],
  ])('is refused without a valid proof (%j)', async (headers) => {
    expect(await create({ ...headers })).toMatchObject({ code: status.UNAUTHENTICATED });
  });
});
