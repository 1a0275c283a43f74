import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from '../support/start-service';

describe('data tables', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  let made = 0;
  const create = async (columns: readonly { name: string; type: string }[] = [{ name: 'who', type: 'string' }]) => {
    made += 1;
    const { dataTable } = await service.dataTables.createDataTable(
      { name: `Table ${made}`, columns: [...columns], claim: undefined },
      editor(),
    );
    return { id: dataTable?.id ?? '', name: dataTable?.name ?? '', dataTable };
  };
  /** The claim of a run whose workflow belongs to u1. */
  const claim = () => {
    const executionId = uuidv7();
    service.executions.setClaim(executionId, { fence: 1, workflowId: 'w1' });
    return { executionId, fence: 1 };
  };

  it('have unique names and typed columns, and are found by id and by name', async () => {
    const { id, name, dataTable } = await create([
      { name: 'who', type: 'string' },
      { name: 'age', type: 'number' },
    ]);
    expect(dataTable).toMatchObject({
      ownerId: 'u1',
      columns: [
        { name: 'who', type: 'string' },
        { name: 'age', type: 'number' },
      ],
    });
    expect(
      (
        await service.dataTables.getDataTable(
          { dataTableId: id, name: '', claim: undefined },
          service.as('u2', 'viewer'),
        )
      ).dataTable,
    ).toEqual(dataTable);
    expect((await service.dataTablesForRuns.getDataTable({ dataTableId: '', name, claim: claim() })).dataTable).toEqual(
      dataTable,
    );
    await expect(
      service.dataTables.createDataTable({ name, columns: [], claim: undefined }, editor()),
    ).rejects.toMatchObject({ reason: 'DATA_TABLE_NAME_TAKEN' });
    await expect(
      service.dataTables.getDataTable({ dataTableId: '', name: 'none', claim: undefined }, editor()),
    ).rejects.toMatchObject({ reason: 'DATA_TABLE_NOT_FOUND' });
  });

  it.each([
    ['1a', 'string'],
    ['a b', 'string'],
    ['id', 'number'],
    ['createdAt', 'date'],
    ['a.b', 'string'],
    ['__proto__', 'string'],
    ['a', 'json'],
  ])('refuses a column %s of type %s', async (name, type) => {
    await expect(create([{ name, type }])).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  it('lets the owner, administrators and workflows of the owner rename and delete a table', async () => {
    const { id } = await create();
    const rename = (name: string, user = editor()) =>
      service.dataTables.renameDataTable({ dataTableId: id, name, claim: undefined }, user);
    await expect(rename('x', service.as('u2', 'editor'))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(
      service.dataTables.deleteDataTable({ dataTableId: id, claim: undefined }, service.as('u2', 'editor')),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(rename('x', service.as('u1', 'viewer'))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect((await rename('Renamed', service.as('u2', 'admin'))).dataTable?.name).toBe('Renamed');
    expect(
      (await service.dataTablesForRuns.renameDataTable({ dataTableId: id, name: 'By a run', claim: claim() })).dataTable
        ?.name,
    ).toBe('By a run');
    const foreign =
      (
        await service.dataTables.createDataTable(
          { name: 'Foreign', columns: [], claim: undefined },
          service.as('u9', 'editor'),
        )
      ).dataTable?.id ?? '';
    await expect(
      service.dataTablesForRuns.deleteDataTable({ dataTableId: foreign, claim: claim() }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await service.dataTablesForRuns.deleteDataTable({ dataTableId: id, claim: claim() });
    await expect(rename('y')).rejects.toMatchObject({ reason: 'DATA_TABLE_NOT_FOUND', details: { dataTableId: id } });
  });

  it('lets workflows and users write rows only of tables that are theirs or shared', async () => {
    const { dataTable } = await service.dataTables.createDataTable(
      { name: 'Addresses', columns: [{ name: 'url', type: 'string' }], claim: undefined },
      service.as('u9', 'admin'),
    );
    const id = dataTable?.id ?? '';
    const row = { dataTableId: id, valuesJson: ['{"url":"https://example.com"}'], operationId: '' };
    const filter = { matchAll: true, conditions: [{ column: 'id', condition: 'eq', valueJson: '1' }] };
    const change = { dataTableId: id, filter, valuesJson: '{"url":"https://evil.example"}', operationId: '' };
    await service.dataTables.insertRows({ ...row, claim: undefined }, service.as('u9', 'admin'));
    const writes = () => [
      service.dataTables.insertRows({ ...row, claim: undefined }, editor()),
      service.dataTablesForRuns.insertRows({ ...row, claim: claim() }),
      service.dataTablesForRuns.updateRows({ ...change, claim: claim() }),
      service.dataTablesForRuns.upsertRow({ ...change, claim: claim() }),
      service.dataTablesForRuns.deleteRows({ dataTableId: id, filter, operationId: '', claim: claim() }),
    ];
    for (const refused of writes()) await expect(refused).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const query = { dataTableId: id, filter: undefined, orderBy: '', descending: false, limit: 0, cursor: '' };
    const { rows } = await service.dataTablesForRuns.queryRows({ ...query, claim: claim() });
    expect(rows.map(({ valuesJson }) => JSON.parse(valuesJson))).toMatchObject([{ url: 'https://example.com' }]);

    const share = { dataTableId: id, name: 'Addresses', shared: true, claim: undefined };
    await expect(service.dataTables.renameDataTable(share, editor())).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect((await service.dataTables.renameDataTable(share, service.as('u9', 'admin'))).dataTable?.shared).toBe(true);
    for (const allowed of writes()) await expect(allowed).resolves.toBeDefined();
    const renamed = { dataTableId: id, name: 'Still shared', claim: undefined };
    expect((await service.dataTables.renameDataTable(renamed, service.as('u9', 'admin'))).dataTable?.shared).toBe(true);
  });

  it('refuses runners without a valid claim', async () => {
    const { id } = await create();
    const query = { dataTableId: id, filter: undefined, orderBy: '', descending: false, limit: 0, cursor: '' };
    await expect(service.dataTablesForRuns.queryRows({ ...query, claim: undefined })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      service.dataTablesForRuns.queryRows({ ...query, claim: { executionId: uuidv7(), fence: 1 } }),
    ).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
    await expect(
      service.dataTablesForRuns.insertRows({
        dataTableId: id,
        valuesJson: ['{}'],
        operationId: 'o',
        claim: { ...claim(), fence: 2 },
      }),
    ).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
  });

  it('deletes the rows of a table with it', async () => {
    const { id } = await create();
    await service.dataTables.insertRows(
      { dataTableId: id, valuesJson: ['{"who":"a"}'], operationId: '', claim: undefined },
      editor(),
    );
    await service.dataTables.deleteDataTable({ dataTableId: id, claim: undefined }, editor());
    await expect(
      service.dataTables.insertRows(
        { dataTableId: id, valuesJson: ['{}'], operationId: '', claim: undefined },
        editor(),
      ),
    ).rejects.toMatchObject({ reason: 'DATA_TABLE_NOT_FOUND' });
  });
});
