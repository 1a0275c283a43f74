import type { CredentialType } from '@weft/node-catalogue';
import { JWT_ALGORITHMS } from '../../src/domain/credentials/jwt-key';
import { startService, type TestService } from '../support/service-under-test';

describe('ListCredentialTypes and GetCredentialType', () => {
  let service: TestService;
  const schemaOf = ({ schema }: { readonly schema: Buffer }): CredentialType => JSON.parse(schema.toString());

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('show viewers every type with its fields, which of them are secret, and how it is applied', async () => {
    const viewer = await service.addUser('viewer');
    const { credentialTypes } = await service.as('gateway').credentials.listCredentialTypes({}, { principal: viewer });
    const names = credentialTypes.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(new Set(names).size).toBe(names.length);
    for (const type of credentialTypes.map(schemaOf)) {
      expect(type.fields.length).toBeGreaterThan(0);
      expect(type.fields.some(({ secret }) => secret)).toBe(true);
    }
    const github = credentialTypes.find(({ name }) => name === 'githubApi');
    expect(github && schemaOf(github)).toMatchObject({
      name: 'githubApi',
      label: 'GitHub',
      applied: 'header',
      hosts: ['api.github.com'],
      request: { headers: { Authorization: 'token {accessToken}' } },
    });
    expect(github && schemaOf(github).fields[0]).toEqual({
      name: 'accessToken',
      label: 'Access token',
      type: 'string',
      required: true,
      secret: true,
    });
  });

  it('suggest the nearest types for an unknown one', async () => {
    await expect(
      service.as('gateway').credentials.getCredentialType({ name: 'gitHubApi' }, { principal: service.owner }),
    ).rejects.toMatchObject({
      reason: 'CREDENTIAL_TYPE_NOT_FOUND',
      message: expect.stringContaining('Did you mean githubApi'),
      details: { credentialType: 'gitHubApi' },
    });
  });

  it('list the algorithms that tokens are checked with', async () => {
    const { credentialType } = await service
      .as('gateway')
      .credentials.getCredentialType({ name: 'jwtAuth' }, { principal: service.owner });
    const options = credentialType && schemaOf(credentialType).fields.find(({ name }) => name === 'algorithm')?.options;
    expect([...(options ?? [])].sort()).toEqual([...JWT_ALGORITHMS].sort());
  });
});
