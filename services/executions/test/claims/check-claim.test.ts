import { uuidv7 } from '@weft/service-kit/ids';
import { claim, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('CheckClaim', () => {
  let stack: TestStack;
  let replica: Replica;
  let now = Date.now();
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({}, () => now);
  });
  afterAll(() => stack.stop());
  const credentialId = uuidv7();
  const nodes = [
    {
      name: 'Call',
      type: 'weft-nodes-base.httpRequest',
      credentials: { httpHeaderAuth: { id: credentialId, name: 'c' } },
    },
    { name: 'Other', type: 'weft-nodes-base.set' },
  ];
  const running = async () => {
    const workflow = stack.workflows.add({ nodes });
    return { workflow, executionId: (await claim(replica, await start(replica, workflow))).executionId };
  };
  const check = (executionId: string, fields: Partial<{ fence: number; node: string; credentialId: string }> = {}) =>
    replica.asService('credentials').checkClaim({ executionId, fence: 1, node: 'Call', credentialId, ...fields });

  it('grants credentials of the node in the pinned version, to the current fence', async () => {
    const { workflow, executionId } = await running();
    expect(await check(executionId)).toEqual({
      granted: true,
      workflowId: workflow.workflowId,
      ownerId: workflow.ownerId,
    });
    for (const fields of [
      { fence: 2 },
      { fence: 0 },
      { node: 'Other' },
      { node: 'None' },
      { credentialId: uuidv7() },
    ]) {
      expect(await check(executionId, fields)).toEqual({ granted: false, workflowId: '', ownerId: '' });
    }
  });

  it('grants a node of the requested kind, and no other', async () => {
    const { executionId } = await running();
    const ask = async (node: string, nodeKind: string) =>
      (await replica.asService('credentials').checkClaim({ executionId, fence: 1, node, credentialId: '', nodeKind }))
        .granted;
    expect(await ask('Other', 'set')).toBe(true);
    expect(await ask('Call', 'set')).toBe(false);
    expect(await ask('None', 'set')).toBe(false);
    expect(await ask('None', '')).toBe(false);
  });

  it('checks only state and fence: the clock of the replica does not matter', async () => {
    const { executionId } = await running();
    now += 600_000;
    expect((await check(executionId)).granted).toBe(true);
    now -= 600_000;
  });

  it('grants nothing once the run ended, or for a malformed id', async () => {
    const other = await running();
    await replica.runner.report({ entries: [reportOf(other.executionId, 1)] });
    expect((await check(other.executionId)).granted).toBe(false);
    expect((await check('x')).granted).toBe(false);
  });

  it('checks only the claim when no credential is requested', async () => {
    const { workflow, executionId } = await running();
    const ask = (fence: number) =>
      replica.asService('workflows').checkClaim({ executionId, fence, node: '', credentialId: '' });
    expect(await ask(1)).toEqual({ granted: true, workflowId: workflow.workflowId, ownerId: workflow.ownerId });
    expect(await ask(2)).toEqual({ granted: false, workflowId: '', ownerId: '' });
    await replica.runner.report({ entries: [reportOf(executionId, 1)] });
    expect((await ask(1)).granted).toBe(false);
  });

  it('is only for the credentials and workflows services', async () => {
    const request = { executionId: uuidv7(), fence: 1, node: 'Call', credentialId };
    for (const service of ['gateway', 'runner'])
      await expect(replica.asService(service).checkClaim(request)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(replica.executions.checkClaim(request, { principal: OWNER })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
