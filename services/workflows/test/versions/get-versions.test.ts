import { uuidv7 } from '@weft/service-kit/ids';
import { definitionOf, node, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('GetVersions', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const create = async (...parameters: Parameters<typeof workflowOf>) =>
    (await service.gateway.createWorkflow(workflowOf(...parameters), service.as('u1', 'editor'))).workflow;
  const get = async (...versionIds: string[]) => (await service.fromExecutions.getVersions({ versionIds })).versions;

  it('returns complete definitions, and leaves out unknown ids', async () => {
    const workflow = await create([node('Set', 'set', { a: 1 }, { typeVersion: 3, notes: 'n' })], {
      pinData: {},
      settings: { timezone: 'UTC' },
    });
    const versions = await get(uuidv7(), workflow?.versionId ?? '', 'no-uuid', workflow?.versionId ?? '');
    expect(versions).toMatchObject([{ versionId: workflow?.versionId, workflowId: workflow?.id, ownerId: 'u1' }]);
    expect(definitionOf(versions[0])).toEqual({
      name: 'A workflow',
      connections: {},
      settings: { timezone: 'UTC' },
      pinData: {},
      nodes: [
        {
          id: definitionOf(workflow).nodes[0]?.['id'],
          name: 'Set',
          type: 'weft-nodes-base.set',
          position: [0, 0],
          parameters: { a: 1 },
          typeVersion: 3,
          notes: 'n',
        },
      ],
    });
  });

  it('adds the type version that a node was resolved to when it was stored without one', async () => {
    const workflow = await create([node('Set', 'set'), node('What', 'nope')]);
    const [version] = await get(workflow?.versionId ?? '');
    expect(definitionOf(version)).toMatchObject({
      nodes: [{ name: 'Set', typeVersion: expect.any(Number) }, { name: 'What' }],
    });
    expect(definitionOf(workflow).nodes[0]).not.toHaveProperty('typeVersion');
  });

  it('refuses more than a hundred ids, and more bytes than one message can hold', async () => {
    await expect(get(...Array.from({ length: 101 }, () => uuidv7()))).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'version_ids' }],
    });
    const large = [
      await create([node('A', 'set', { a: 'x'.repeat(8_000_000) })]),
      await create([node('A', 'set', { a: 'x'.repeat(8_000_000) })]),
    ].map((workflow) => workflow?.versionId ?? '');
    await expect(get(...large)).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    expect(await get(large[0] ?? '')).toHaveLength(1);
  });

  it('is allowed to the executions service only', async () => {
    await expect(service.fromRunner.getVersions({ versionIds: [] })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(service.gateway.getVersions({ versionIds: [] }, service.as('u1', 'owner'))).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
