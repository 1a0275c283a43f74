import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from '../support/start-service';

describe('variables', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const create = async (key: string, value = 'v') =>
    (await service.variables.createVariable({ key, value }, editor())).variable?.id ?? '';
  const readAs = (executionId: string) => service.variablesForRuns.readVariables({ executionId, fence: 1 });

  it('lists newest first, in pages', async () => {
    const ids = [await create('a'), await create('b'), await create('c')];
    const first = await service.variables.listVariables({ limit: 2, cursor: '' }, service.as('u9', 'viewer'));
    expect(first.variables).toMatchObject([{ id: ids[2], key: 'c', value: 'v', ownerId: 'u1' }, { key: 'b' }]);
    const second = await service.variables.listVariables({ limit: 2, cursor: first.nextCursor }, editor());
    expect(second).toMatchObject({ variables: [{ key: 'a' }], nextCursor: '' });
  });

  it('returns the current values to runs with a valid claim', async () => {
    const id = await create('url', 'one');
    await create('empty', '');
    const executionId = uuidv7();
    await expect(readAs(executionId)).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
    service.executions.setClaim(executionId, { fence: 1, workflowId: 'w' });
    expect((await readAs(executionId)).values).toEqual({ url: 'one', empty: '' });
    await service.variables.replaceVariable({ variableId: id, key: 'address', value: 'two' }, editor());
    expect((await readAs(executionId)).values).toEqual({ address: 'two', empty: '' });
    await service.variables.deleteVariable({ variableId: id }, editor());
    expect((await readAs(executionId)).values).toEqual({ empty: '' });
  });

  it('refuses a second variable with the same key', async () => {
    await create('a');
    const id = await create('b');
    await expect(create('a')).rejects.toMatchObject({ reason: 'VARIABLE_KEY_TAKEN', details: { key: 'a' } });
    await expect(
      service.variables.replaceVariable({ variableId: id, key: 'a', value: '' }, editor()),
    ).rejects.toMatchObject({ reason: 'VARIABLE_KEY_TAKEN' });
    const racing = await Promise.allSettled(Array.from({ length: 5 }, () => create('race')));
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each([
    ['', 'v', 'key'],
    ['a b', 'v', 'key'],
    ['x'.repeat(51), 'v', 'key'],
    ['__proto__', 'v', 'key'],
    ['a', 'x'.repeat(1_001), 'value'],
  ])('refuses an invalid key or value: %s', async (key, value, field) => {
    await expect(create(key, value)).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field }] });
  });

  it('refuses more than 400 variables of one owner, and more than 500 of all', async () => {
    const createFor = (userId: string, key: string) =>
      service.variables.createVariable({ key, value: 'v' }, service.as(userId, 'editor'));
    for (let from = 0; from < 400; from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => create(`k${from + index}`)));
    await expect(create('more')).rejects.toMatchObject({ reason: 'TOO_MANY_VARIABLES', details: { limit: '400' } });
    await Promise.all(Array.from({ length: 100 }, (_, index) => createFor('u2', `other${index}`)));
    await expect(createFor('u3', 'more')).rejects.toMatchObject({
      reason: 'TOO_MANY_VARIABLES',
      details: { limit: '500' },
    });
  });

  it('lets only the owner and administrators change a variable', async () => {
    const variableId = await create('a');
    const other = service.as('u2', 'editor');
    await expect(service.variables.deleteVariable({ variableId }, other)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(service.variables.replaceVariable({ variableId, key: 'b', value: '' }, other)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      service.variables.createVariable({ key: 'c', value: '' }, service.as('u1', 'viewer')),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await service.variables.deleteVariable({ variableId }, service.as('u3', 'admin'));
    for (const id of [variableId, 'none'])
      await expect(service.variables.deleteVariable({ variableId: id }, editor())).rejects.toMatchObject({
        reason: 'VARIABLE_NOT_FOUND',
        details: { variableId: id },
      });
    await expect(readAs('gateway')).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
    await expect(service.variables.readVariables({ executionId: uuidv7(), fence: 1 }, editor())).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
