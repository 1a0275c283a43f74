import { CredentialHow } from '@weft/proto/workflows';
import { uuidv7 } from '@weft/service-kit/ids';
import { node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

const TYPE = 'httpHeaderAuth';
const PARAMETERS = { url: 'http://x', authentication: 'genericCredentialType', genericAuthType: TYPE };
const call = (reference: unknown): object =>
  node('Call', 'httpRequest', PARAMETERS, { typeVersion: 4.2, credentials: { [TYPE]: reference } });
const bytesOf = (nodes: readonly object[], fields: object = {}): Buffer => workflowOf(nodes, { ...fields }).definition;

describe('CheckDefinitions', () => {
  let service: TestService;
  const editor = (userId = 'u1') => service.as(userId, 'editor');
  const checkAll = async (definitions: Buffer[], given = {}, who = editor()) =>
    (await service.gateway.checkDefinitions({ definitions, credentials: {}, ...given }, who)).checked;
  const check = async (definition: Buffer, given = {}, who = editor()) => (await checkAll([definition], given, who))[0];
  const create = async (nodes: readonly object[], active = false, who = editor()) =>
    (await service.gateway.createWorkflow(workflowOf(nodes, { active }), who)).workflow;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  afterEach(() => {
    service.credentials.stored.length = 0;
    service.credentials.refused.clear();
  });

  it('describes a definition as it would be stored, and stores nothing', async () => {
    const before = await service.gateway.listWorkflows({ limit: 100, cursor: '', summary: true }, editor());
    const checked = await check(Buffer.from(JSON.stringify({ name: 'w', nodes: [webhook('check-a')] })));
    expect(checked).toMatchObject({
      name: 'w',
      hash: expect.stringMatching(/^1:[0-9a-f]{64}$/),
      runnable: true,
      errors: [],
      warnings: [],
      credentials: [],
      routes: [{ method: 'POST', path: 'check-a', node: 'Hook' }],
    });
    expect(checked?.routes[0]?.takenBy).toBeUndefined();
    expect(JSON.parse(checked?.definition.toString() ?? '')).toEqual({
      name: 'w',
      nodes: [{ ...webhook('check-a'), id: expect.any(String) }],
      connections: {},
      settings: {},
    });
    expect(await service.gateway.listWorkflows({ limit: 100, cursor: '', summary: true }, editor())).toEqual(before);
  });

  it('reports each definition separately, also one that cannot be read', async () => {
    const checked = await checkAll([
      Buffer.from('{"name":'),
      Buffer.from('{"name":"n","nodes":[{"name":"A"}]}'),
      bytesOf([webhook('check-b')]),
    ]);
    expect(checked.map(({ runnable, errors }) => [runnable, errors.map(({ field }) => field)])).toEqual([
      [false, ['definition']],
      [false, ['nodes[0].type']],
      [true, []],
    ]);
    expect(checked.map(({ hash, definition }) => [hash === '', definition.length === 0])).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
  });

  it('names the fields for which an activation would be refused or, without a trigger, a start', async () => {
    const cases: readonly (readonly [object[], string[]])[] = [
      [[webhook('check-c'), node('Odd', 'nonsense')], ['nodes[1].type']],
      [[node('Manual', 'manualTrigger'), webhook('', {}, 'Hook')], ['nodes[1].parameters.path']],
      [[node('Alone', 'set')], ['nodes']],
      [[node('Odd', 'nonsense')], ['nodes[0].type', 'nodes']],
    ];
    for (const [nodes, fields] of cases) {
      const checked = await check(bytesOf(nodes));
      expect([checked?.runnable, checked?.errors.map(({ field }) => field)]).toEqual([false, fields]);
    }
  });

  it('says how each credential was found', async () => {
    const [byId, byName, given] = [uuidv7(), uuidv7(), uuidv7()];
    const add = (id: string, name: string, ownerId = 'u1') =>
      service.credentials.stored.push({ id, type: TYPE, name, ownerId });
    add(byId, 'one');
    add(byName, 'two');
    add(given, 'three');
    add(uuidv7(), 'four');
    add(uuidv7(), 'four');
    const references = [{ id: byId, name: 'x' }, { name: 'two' }, { name: 'mapped' }, { name: 'four' }, { name: 'no' }];
    const nodes = references.map((reference, index) => ({ ...call(reference), name: `Call${index}` }));
    const checked = await check(bytesOf([webhook('check-d'), ...nodes]), {
      credentials: { [`${TYPE}/mapped`]: given },
    });
    expect(checked?.credentials.map(({ name, id, how }) => [name, id, how])).toEqual([
      ['x', byId, CredentialHow.CREDENTIAL_HOW_ID],
      ['two', byName, CredentialHow.CREDENTIAL_HOW_NAME],
      ['mapped', given, CredentialHow.CREDENTIAL_HOW_GIVEN],
      ['four', undefined, CredentialHow.CREDENTIAL_HOW_AMBIGUOUS],
      ['no', undefined, CredentialHow.CREDENTIAL_HOW_NONE],
    ]);
    expect([checked?.runnable, checked?.warnings.map(({ field }) => field)]).toEqual([
      true,
      [`nodes[4].credentials.${TYPE}`, `nodes[5].credentials.${TYPE}`],
    ]);
    expect(JSON.parse(checked?.definition.toString() ?? '').nodes[3].credentials).toEqual({
      [TYPE]: { id: given, name: 'mapped' },
    });
  });

  it('reports a credential that the runs may not use, unless it is granted to the workflow', async () => {
    const workflow = await create([webhook('check-e')]);
    const id = uuidv7();
    const workflowId = workflow?.id ?? '';
    service.credentials.stored.push({ id, type: TYPE, name: 'k', ownerId: 'u9', workflowId });
    const nodes = [webhook('check-e'), call({ id, name: 'k' })];
    expect(await check(bytesOf(nodes))).toMatchObject({
      runnable: false,
      errors: [{ field: `nodes[1].credentials.${TYPE}`, message: expect.stringContaining('not granted') }],
      warnings: [],
    });
    expect(await check(bytesOf(nodes, { id: workflowId }))).toMatchObject({ runnable: true, errors: [], warnings: [] });
    expect(await check(bytesOf(nodes, { id: workflowId }), {}, editor('u2'))).toMatchObject({ runnable: false });
  });

  it('reports addresses that other active workflows have, and not its present ones', async () => {
    const own = await create([webhook('check-f')], true);
    const other = await create([webhook('check-g/:id', {}, 'Hook')], true, editor('u2'));
    expect(await check(bytesOf([webhook('check-f')]))).toMatchObject({
      runnable: false,
      errors: [{ field: 'nodes[0].parameters.path', message: expect.stringContaining(own?.id ?? '') }],
      routes: [{ takenBy: own?.id }],
    });
    expect(await check(bytesOf([webhook('check-f')], { id: own?.id }))).toMatchObject({ runnable: true });
    const overlapping = bytesOf([webhook('check-g/new'), webhook('check-h', {}, 'Free')]);
    const checked = await check(overlapping);
    expect(checked?.routes.map(({ takenBy }) => takenBy)).toEqual([other?.id, undefined]);
    expect([checked?.runnable, checked?.errors.map(({ field }) => field)]).toEqual([
      false,
      ['nodes[0].parameters.path'],
    ]);
    expect(await check(overlapping, {}, editor('u2'))).toMatchObject({ runnable: true });
  });

  it('agrees with the activation of the same definition', async () => {
    const cases = [
      [webhook('check-i'), node('Odd', 'nonsense')],
      [webhook('check-j')],
      [node('Clock', 'scheduleTrigger', { rule: { interval: [{ field: 'cronExpression', expression: 'x' }] } })],
    ];
    for (const nodes of cases) {
      const checked = await check(bytesOf(nodes));
      const workflow = await create(nodes);
      const outcome = await service.gateway
        .activateWorkflow({ workflowId: workflow?.id ?? '', ifEtags: [] }, editor())
        .then(
          () => [],
          (error: { readonly fields: readonly object[] }) => error.fields,
        );
      expect(checked?.errors).toEqual(outcome);
      expect(checked?.runnable).toBe(outcome.length === 0);
    }
  });

  it('is for callers who may change what the owner owns', async () => {
    const projectId = uuidv7();
    service.destinations.add(projectId);
    await expect(check(bytesOf([]), { projectId })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(check(bytesOf([]), {}, service.as('u1', 'viewer'))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(check(bytesOf([]), { projectId }, service.as('u1', 'editor', projectId))).resolves.toBeDefined();
  });

  it('is limited to 100 definitions, 10 MB and 2,000 addresses', async () => {
    const empty = bytesOf([]);
    await expect(checkAll(Array(101).fill(empty))).rejects.toMatchObject({ fields: [{ field: 'workflows' }] });
    await expect(checkAll([Buffer.alloc(6_000_000), Buffer.alloc(5_000_000)])).rejects.toMatchObject({
      reason: 'PAYLOAD_TOO_LARGE',
    });
    const many = Array.from({ length: 10 }, (_, file) =>
      bytesOf(Array.from({ length: 201 }, (__, index) => webhook(`check-k-${file}-${index}`, {}, `Hook${index}`))),
    );
    await expect(checkAll(many)).rejects.toMatchObject({ fields: [{ message: expect.stringContaining('2000') }] });
    expect((await checkAll(many.slice(0, 9))).every(({ runnable }) => runnable)).toBe(true);
  });
});
