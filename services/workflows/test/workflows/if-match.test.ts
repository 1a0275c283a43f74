import { startService, type TestService } from '../support/start-service';

const conditionOf = (etag: string | undefined) => ({ condition: { etags: ['another', etag ?? ''] } });
const CONFLICT = { reason: 'VERSION_CONFLICT', kind: 'precondition' };

describe('a change with a condition', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');

  it('replaces and deletes a variable only in the state that was read', async () => {
    const { variables } = service;
    const { variable: read } = await variables.createVariable({ key: 'v', value: '1' }, editor());
    const variableId = read?.id ?? '';
    const { variable: again } = await variables.getVariable({ variableId }, editor());
    expect(again?.etag).toBe(read?.etag);
    const change = { variableId, key: 'v', value: '2', ...conditionOf(read?.etag) };
    const { variable: changed } = await variables.replaceVariable(change, editor());
    expect(changed?.etag).not.toBe(read?.etag);
    await expect(variables.replaceVariable({ ...change, value: '3' }, editor())).rejects.toMatchObject({
      ...CONFLICT,
      details: { variableId },
    });
    await expect(variables.deleteVariable({ variableId, ...conditionOf(read?.etag) }, editor())).rejects.toMatchObject(
      CONFLICT,
    );
    expect((await variables.getVariable({ variableId }, editor())).variable?.value).toBe('2');
    await variables.deleteVariable({ variableId, ...conditionOf(changed?.etag) }, editor());
    await expect(variables.getVariable({ variableId }, editor())).rejects.toMatchObject({
      reason: 'VARIABLE_NOT_FOUND',
    });
  });

  it('lets exactly one of ten concurrent writers win', async () => {
    const { variables } = service;
    const { variable } = await variables.createVariable({ key: 'raced', value: '0' }, editor());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        variables.replaceVariable(
          { variableId: variable?.id ?? '', key: 'raced', value: `${index + 1}`, ...conditionOf(variable?.etag) },
          editor(),
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('renames and deletes a table only in the state that was read, whatever its rows', async () => {
    const { dataTables } = service;
    const claim = undefined;
    const { dataTable: read } = await dataTables.createDataTable(
      { name: 'conditional', columns: [{ name: 'a', type: 'number' }], claim },
      editor(),
    );
    const dataTableId = read?.id ?? '';
    await dataTables.insertRows({ dataTableId, valuesJson: ['{"a":1}'], operationId: '', claim }, editor());
    const change = { dataTableId, name: 'renamed', claim, ...conditionOf(read?.etag) };
    const { dataTable: changed } = await dataTables.renameDataTable(change, editor());
    await expect(dataTables.renameDataTable({ ...change, name: 'lost' }, editor())).rejects.toMatchObject(CONFLICT);
    await expect(
      dataTables.deleteDataTable({ dataTableId, claim, ...conditionOf(read?.etag) }, editor()),
    ).rejects.toMatchObject({ ...CONFLICT, details: { dataTableId } });
    await dataTables.deleteDataTable({ dataTableId, claim, ...conditionOf(changed?.etag) }, editor());
  });
});
