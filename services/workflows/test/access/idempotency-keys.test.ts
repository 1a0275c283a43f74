import { connectDatabase } from '@weft/service-kit/mongo';
import { testMongodbUri } from '@weft/service-kit/testing';
import { node, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('a creation with an idempotency key', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const request = (idempotencyKey: string, name = 'W') => ({
    ...workflowOf([node('Start', 'start')], { name }),
    idempotencyKey,
  });

  it('creates one workflow on two replicas at once, and returns the same response', async () => {
    const replica = await service.addReplica();
    const calls = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? service.gateway : replica));
    const responses = await Promise.all(calls.map((one) => one.createWorkflow(request('together'), editor())));
    expect(new Set(responses.map(({ workflow }) => workflow?.id)).size).toBe(1);
    expect(responses.every((response) => JSON.stringify(response) === JSON.stringify(responses[0]))).toBe(true);
  });

  it('returns the definition and the warnings of the first response, although the workflow has changed', async () => {
    const linked = {
      ...request('kept'),
      ...workflowOf([node('Start', 'start')], { name: 'K', connections: { Gone: {} } }),
    };
    const first = await service.gateway.createWorkflow(linked, editor());
    await service.gateway.replaceWorkflow(
      {
        workflowId: first.workflow?.id ?? '',
        definition: workflowOf([node('Start', 'start')], { name: 'changed' }).definition,
        ifVersionId: '',
        ifEtags: [],
      },
      editor(),
    );
    expect(await service.gateway.createWorkflow(linked, editor())).toEqual(first);
    const { workflow } = await service.gateway.createWorkflow({ ...linked, summary: true }, editor());
    expect(workflow).toEqual({ ...first.workflow, definition: Buffer.alloc(0) });
  });

  it('is refused for another definition, and is separate for each user', async () => {
    const { workflow } = await service.gateway.createWorkflow(request('own'), editor());
    await expect(service.gateway.createWorkflow(request('own', 'other'), editor())).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
      kind: 'conflict',
    });
    const other = await service.gateway.createWorkflow(request('own'), service.as('u2', 'editor'));
    expect(other.workflow).toMatchObject({ ownerId: 'u2' });
    expect(other.workflow?.id).not.toBe(workflow?.id);
  });

  it('creates one variable and one table, also where a name would be taken', async () => {
    const variable = { key: 'once', value: '1', idempotencyKey: 'v' };
    const table = { name: 'once', columns: [{ name: 'a', type: 'string' }], claim: undefined, idempotencyKey: 't' };
    expect(await service.variables.createVariable(variable, editor())).toEqual(
      await service.variables.createVariable(variable, editor()),
    );
    expect(await service.dataTables.createDataTable(table, editor())).toEqual(
      await service.dataTables.createDataTable(table, editor()),
    );
  });

  it('writes rows once, and refuses other rows with the key', async () => {
    const { dataTable } = await service.dataTables.createDataTable(
      { name: 'rows', columns: [{ name: 'a', type: 'number' }], claim: undefined },
      editor(),
    );
    const dataTableId = dataTable?.id ?? '';
    const added = { dataTableId, valuesJson: ['{"a":1}'], operationId: 'add', claim: undefined };
    const first = await service.dataTables.insertRows(added, editor());
    expect(await service.dataTables.insertRows(added, editor())).toEqual(first);
    await expect(service.dataTables.insertRows({ ...added, valuesJson: ['{"a":2}'] }, editor())).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    const filter = { matchAll: false, conditions: [{ column: 'a', condition: 'isNotEmpty', valueJson: '' }] };
    const change = { dataTableId, filter, valuesJson: '{"a":5}', operationId: 'set', claim: undefined };
    const changed = await service.dataTables.updateRows(change, editor());
    await service.dataTables.updateRows({ ...change, valuesJson: '{"a":6}', operationId: 'set again' }, editor());
    // The repeated update must not undo the later one.
    expect(await service.dataTables.updateRows(change, editor())).toEqual(changed);
    const { rows } = await service.dataTables.queryRows(
      { dataTableId, filter: undefined, orderBy: '', descending: false, limit: 10, cursor: '', claim: undefined },
      editor(),
    );
    expect(rows.map(({ valuesJson }) => valuesJson)).toEqual(['{"a":6}']);
  });

  it('expires, and is stored without key, request and definition', async () => {
    await service.gateway.createWorkflow(request('plain-key', 'plain-name'), editor());
    const database = await connectDatabase(testMongodbUri(), service.database);
    try {
      const collection = database.connection.collection('idempotencyKeys');
      const documents = await collection.find({}).toArray();
      const text = JSON.stringify(
        documents.map((document) => ({ ...document, response: String(document['response']) })),
      );
      expect(text).not.toContain('plain-key');
      expect(text).not.toContain('parameters');
      expect((await collection.indexes()).find(({ name }) => name === 'expireAt')).toMatchObject({
        expireAfterSeconds: 0,
      });
    } finally {
      await database.close();
    }
  });
});
