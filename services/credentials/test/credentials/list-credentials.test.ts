import { credentials, Metadata } from '@grpc/grpc-js';
import { CredentialServiceClient, type ListCredentialsResponse } from '@weft/proto/credentials';
import { OWNER, startService, type TestService } from '../support/service-under-test';

describe('ListCredentials', () => {
  let service: TestService;
  const list = (request: { limit?: number; cursor?: string }, principal = service.owner) =>
    service.as('gateway').credentials.listCredentials({ limit: 0, cursor: '', ...request }, { principal });

  /** Makes calls without any of our client code. */
  const callDirectly = (header: Record<string, string>): Promise<ListCredentialsResponse> => {
    const client = new CredentialServiceClient(service.target, credentials.createInsecure());
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(header)) metadata.set(name, value);
    return new Promise<ListCredentialsResponse>((resolve, reject) => {
      client.listCredentials({ limit: 0, cursor: '' }, metadata, { deadline: Date.now() + 5_000 }, (error, response) =>
        error === null ? resolve(response) : reject(error),
      );
    }).finally(() => client.close());
  };

  beforeAll(async () => {
    service = await startService({ BASIC_AUTH: 'on' });
    for (let number = 1; number <= 25; number += 1)
      await service.addCredential({ name: `c${number}`, dataJson: '{"token":"planted-secret"}' });
  });
  afterAll(() => service.stop());

  it('pages newest first, without data', async () => {
    const first = await list({});
    const second = await list({ cursor: first.nextCursor });
    expect(first.credentials.map(({ name }) => name)).toEqual(
      Array.from({ length: 20 }, (_, index) => `c${25 - index}`),
    );
    expect(second.credentials.map(({ name }) => name)).toEqual(['c5', 'c4', 'c3', 'c2', 'c1']);
    expect(second.nextCursor).toBe('');
    expect(JSON.stringify([first, second])).not.toContain('planted-secret');
  });

  it('neither repeats nor skips entries while others are added and removed', async () => {
    const first = await list({ limit: 5 });
    const added = await service.addCredential({ name: 'added' });
    const removed = first.credentials.at(-1)?.id ?? '';
    await service.as('gateway').credentials.deleteCredential({ credentialId: removed }, { principal: service.owner });
    const second = await list({ limit: 5, cursor: first.nextCursor });
    expect(second.credentials.map(({ name }) => name)).toEqual(['c20', 'c19', 'c18', 'c17', 'c16']);
    await service.as('gateway').credentials.deleteCredential({ credentialId: added.id }, { principal: service.owner });
  });

  it('refuses a limit above 100 and a malformed cursor', async () => {
    await expect(list({ limit: 101 })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'limit' }],
    });
    await expect(list({ cursor: 'v1.x' })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'cursor' }],
    });
  });

  it('refuses editors and viewers', async () => {
    const { credentials: calls } = service.as('gateway');
    for (const role of ['editor', 'viewer'] as const) {
      await expect(
        calls.listCredentials({ limit: 0, cursor: '' }, { principal: { ...service.owner, role } }),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    }
  });

  it('serves direct callers with an API key or Basic only', async () => {
    const basic = (password: string) => ({
      authorization: `Basic ${Buffer.from(`${OWNER.email}:${password}`).toString('base64')}`,
    });
    expect((await callDirectly({ 'x-svc-api-key': service.ownerApiKey })).credentials).toHaveLength(20);
    expect((await callDirectly(basic(OWNER.password))).credentials).toHaveLength(20);
    await expect(callDirectly(basic('wrong'))).rejects.toMatchObject({ code: 16 });
    await expect(callDirectly({ 'x-svc-api-key': `${service.ownerApiKey}0` })).rejects.toMatchObject({ code: 16 });
    await expect(callDirectly({})).rejects.toMatchObject({ code: 16 });
  });
});
