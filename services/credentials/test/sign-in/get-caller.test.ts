import { credentials, Metadata } from '@grpc/grpc-js';
import { Role, UserServiceClient, type GetCallerRequest, type GetCallerResponse } from '@weft/proto/identity';
import { startService, type TestService } from '../support/service-under-test';

describe('GetCaller', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  /** Calls without the gateway. */
  const callDirectly = (key: string, request: GetCallerRequest): Promise<GetCallerResponse> => {
    const client = new UserServiceClient(service.target, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('x-svc-api-key', key);
    return new Promise<GetCallerResponse>((resolve, reject) => {
      client.getCaller(request, metadata, (error, response) => (error === null ? resolve(response) : reject(error)));
    }).finally(() => client.close());
  };

  it('describes the user, the key that the gateway verified, and the projects', async () => {
    const { apiKeys, users, projects } = service.as('gateway');
    const viewer = await service.addUser('viewer');
    const { project } = await projects.createProject({ name: 'Billing', closed: true }, { principal: service.owner });
    await projects.putProjectMember(
      { projectId: project?.id ?? '', user: { $case: 'userId', value: viewer.userId }, role: Role.ROLE_VIEWER },
      { principal: service.owner },
    );
    const { apiKey, value } = await apiKeys.createApiKey(
      { name: 'ci', scopes: ['executions:read'] },
      { principal: viewer },
    );
    const { apiKeyId } = await apiKeys.verifyApiKey({
      proof: { $case: 'apiKey', value },
      count: 1,
      knowsScopes: true,
    });
    expect(apiKeyId).toBe(apiKey?.id);
    const limited = { ...viewer, scopes: ['executions:read'] as const };
    const caller = await users.getCaller({ apiKeyId }, { principal: limited });
    expect(caller).toMatchObject({
      user: { id: viewer.userId, role: Role.ROLE_VIEWER },
      apiKey: { id: apiKey?.id, name: 'ci', scopes: ['executions:read'] },
      projects: [{ id: project?.id, name: 'Billing', role: Role.ROLE_VIEWER, closed: true }],
      release: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  it('does not show the key of another user', async () => {
    const { apiKeys, users } = service.as('gateway');
    const [one, other] = [await service.addUser('editor'), await service.addUser('editor')];
    const { apiKey } = await apiKeys.createApiKey({ name: 'mine', scopes: [] }, { principal: one });
    const caller = await users.getCaller({ apiKeyId: apiKey?.id }, { principal: other });
    expect([caller.user?.id, caller.apiKey, caller.projects]).toEqual([other.userId, undefined, []]);
  });

  it('takes the key of a direct call from the call itself', async () => {
    const { apiKeys } = service.as('gateway');
    const [one, other] = [await service.addUser('editor'), await service.addUser('editor')];
    const { apiKey, value } = await apiKeys.createApiKey({ name: 'direct', scopes: [] }, { principal: one });
    const { apiKey: foreign } = await apiKeys.createApiKey({ name: 'other', scopes: [] }, { principal: other });
    const caller = await callDirectly(value, { apiKeyId: foreign?.id });
    expect([caller.user?.id, caller.apiKey?.id]).toEqual([one.userId, apiKey?.id]);
  });
});
