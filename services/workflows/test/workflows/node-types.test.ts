import { KIND_TABLE } from '@weft/nodes/descriptors';
import { startService, type TestService } from '../support/start-service';

const KINDS = [...KIND_TABLE.values()];

describe('the catalogue over gRPC', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const viewer = () => service.as('u1', 'viewer');

  it('ListNodeTypes returns every kind, or only the tag to callers that have it', async () => {
    const { nodeTypes, tag } = await service.gateway.listNodeTypes({ knownTag: '' }, viewer());
    expect(nodeTypes.map(({ descriptor }) => JSON.parse(descriptor.toString()))).toEqual(
      JSON.parse(JSON.stringify(KINDS)),
    );
    expect(nodeTypes.map(({ kind }) => kind)).toEqual([...nodeTypes.map(({ kind }) => kind)].sort());
    expect(await service.gateway.listNodeTypes({ knownTag: tag }, viewer())).toEqual({ nodeTypes: [], tag });
  });

  it('GetNodeType finds a kind by its name, its type and its older name', async () => {
    const kinds = await Promise.all(
      ['limit', 'n8n-nodes-base.limit', 'weft-nodes-base.start'].map((kind) =>
        service.gateway.getNodeType({ kind }, viewer()),
      ),
    );
    expect(kinds.map(({ nodeType }) => nodeType?.kind)).toEqual(['limit', 'limit', 'manualTrigger']);
  });

  it.each(['httpRequestTool', 'n8n-nodes-base.httpRequestTool', 'slackTool'])(
    'GetNodeType describes the tool %s, which is not listed',
    async (kind) => {
      const { nodeType } = await service.gateway.getNodeType({ kind }, viewer());
      const name = kind.replace('n8n-nodes-base.', '');
      expect(nodeType?.kind).toBe(name);
      expect(JSON.parse(nodeType?.descriptor.toString() ?? '')).toEqual(
        JSON.parse(JSON.stringify(KIND_TABLE.get(name))),
      );
      expect(KINDS.map((one) => one.kind)).not.toContain(name);
    },
  );

  it.each(['setTool', 'slackTriggerTool', 'Tool', 'limt', '__proto__', ''])(
    'GetNodeType refuses the unknown kind %j',
    async (kind) => {
      await expect(service.gateway.getNodeType({ kind }, viewer())).rejects.toMatchObject({
        reason: 'NODE_TYPE_NOT_FOUND',
        details: { kind },
      });
    },
  );

  it('names the nearest kinds', async () => {
    await expect(service.gateway.getNodeType({ kind: 'limt' }, viewer())).rejects.toMatchObject({
      message: expect.stringContaining('limit'),
    });
  });

  it('is allowed to users, not to services', async () => {
    await expect(service.fromRunner.listNodeTypes({ knownTag: '' })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
