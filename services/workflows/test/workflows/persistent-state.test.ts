import { PutOutcome } from '@weft/proto/workflow-state';
import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase } from '@weft/service-kit/mongo';
import { closeAfterEach, testMongodbUri } from '@weft/service-kit/testing';
import { stateModel } from '../../src/store/state-store';
import { webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('persistent state', () => {
  const later = closeAfterEach();
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  let paths = 0;
  const createWorkflow = async (): Promise<string> => {
    paths += 1;
    return (
      (await service.gateway.createWorkflow(workflowOf([webhook(`state-${paths}`)]), service.as('u1', 'editor')))
        .workflow?.id ?? ''
    );
  };
  const claimOn = (workflowId: string, fence = 1) => {
    const executionId = uuidv7();
    service.executions.setClaim(executionId, { fence, workflowId });
    return { executionId, fence };
  };
  const claimed = async () => {
    const workflowId = await createWorkflow();
    return { workflowId, claim: claimOn(workflowId) };
  };
  type Claim = ReturnType<typeof claimOn>;
  const put = (claim: Claim, expectedVersion: number, value: unknown, operationId: string = uuidv7(), name = 'n') =>
    service.state.putState({ ...claim, name, expectedVersion, valueJson: JSON.stringify(value), operationId });
  const get = async (claim: Claim, name = 'n') => (await service.state.getState({ ...claim, name })).entry;

  it('belongs to the workflow of the claim, whichever execution calls', async () => {
    const { workflowId, claim } = await claimed();
    expect(await get(claim)).toEqual({ version: 0, valueJson: '' });
    expect(await put(claim, 0, { a: 1 })).toMatchObject({
      outcome: PutOutcome.PUT_OUTCOME_WRITTEN,
      entry: { version: 1 },
    });
    expect(await get(claimOn(workflowId, 7))).toEqual({ version: 1, valueJson: '{"a":1}' });
    expect(await get((await claimed()).claim)).toEqual({ version: 0, valueJson: '' });
  });

  it('refuses reads and writes without a valid claim', async () => {
    const { claim } = await claimed();
    await put(claim, 0, 'mine');
    service.executions.setClaim(claim.executionId, { fence: 2, workflowId: 'w' });
    for (const stale of [claim, { executionId: uuidv7(), fence: 1 }, { executionId: 'none', fence: 1 }]) {
      await expect(put(stale, 1, 'zombie')).rejects.toMatchObject({
        reason: 'CLAIM_LOST',
        details: { executionId: stale.executionId },
      });
      await expect(get(stale)).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
    }
  });

  it('refuses a write based on another version, and returns the current entry', async () => {
    const { claim } = await claimed();
    expect(await put(claim, 2, 'none')).toMatchObject({ outcome: PutOutcome.PUT_OUTCOME_CONFLICT });
    expect(await get(claim)).toEqual({ version: 0, valueJson: '' });
    await put(claim, 0, 'one');
    for (const seen of [0, 2])
      expect(await put(claim, seen, 'two')).toEqual({
        outcome: PutOutcome.PUT_OUTCOME_CONFLICT,
        entry: { version: 1, valueJson: '"one"' },
      });
    expect(await put(claim, 1, 'two')).toMatchObject({
      outcome: PutOutcome.PUT_OUTCOME_WRITTEN,
      entry: { version: 2 },
    });
  });

  it('applies a repeated operation once, even after later writes', async () => {
    const { workflowId, claim } = await claimed();
    await put(claim, 0, 'first', 'op-1');
    expect(await put(claim, 0, 'first', 'op-1')).toEqual({
      outcome: PutOutcome.PUT_OUTCOME_REPEATED,
      entry: { version: 1, valueJson: '"first"' },
    });
    await put(claimOn(workflowId), 1, 'second', 'op-2');
    expect(await put(claim, 2, 'first again', 'op-1')).toEqual({
      outcome: PutOutcome.PUT_OUTCOME_REPEATED,
      entry: { version: 2, valueJson: '"second"' },
    });
    expect(await get(claim)).toEqual({ version: 2, valueJson: '"second"' });
  });

  it('loses no write when many race', async () => {
    const { workflowId, claim } = await claimed();
    const add = async (): Promise<void> => {
      const own = claimOn(workflowId);
      for (let tries = 0; tries < 100; tries += 1) {
        const entry = await get(own);
        const { outcome } = await put(
          own,
          entry?.version ?? 0,
          Number(entry?.valueJson === '' ? 0 : entry?.valueJson) + 1,
        );
        if (outcome === PutOutcome.PUT_OUTCOME_WRITTEN) return;
      }
      throw new Error('never written');
    };
    await Promise.all(Array.from({ length: 12 }, add));
    expect(await get(claim)).toEqual({ version: 12, valueJson: '12' });
  });

  it('stores conversations apart from its entries, and deletes each 30 days after its last message', async () => {
    const { workflowId, claim } = await claimed();
    await put(claim, 0, 1, 'op', 'n');
    await put(claim, 0, ['hello'], 'first', 'chat:a');
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    const expiryOf = async (name: string) =>
      (await stateModel(database.connection).findOne({ workflowId, name }).lean().exec())?.expireAt?.getTime();
    expect(await expiryOf('n')).toBeUndefined();
    const first = (await expiryOf('chat:a')) ?? 0;
    expect(Math.round((first - Date.now()) / 86_400_000)).toBe(30);
    await put(claim, 1, ['hello', 'again'], 'second', 'chat:a');
    expect(await expiryOf('chat:a')).toBeGreaterThan(first);
  });

  it('makes room for a new conversation by the one that was silent for the longest time', async () => {
    const { workflowId, claim } = await claimed();
    await put(claim, 0, 1, 'op', 'chat:template');
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    const model = stateModel(database.connection);
    const template = await model.findOne({ workflowId }).lean().exec();
    const chats = Array.from({ length: 9_999 }, (_, n) => ({
      ...template,
      _id: `${workflowId}:chat:${n}`,
      name: `chat:${n}`,
      expireAt: new Date(Date.now() + 1_000_000_000 + n),
    }));
    await model.insertMany(chats, { lean: true, ordered: false });
    await put(claim, 0, 1, 'op', 'chat:new');
    expect((await get(claim, 'chat:0'))?.version).toBe(0);
    expect((await get(claim, 'chat:1'))?.version).toBe(1);
    expect((await get(claim, 'chat:new'))?.version).toBe(1);
  });

  it('limits names, values and the number of entries', async () => {
    const { claim } = await claimed();
    await expect(put(claim, 0, 'x'.repeat(1_048_576))).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    await expect(put(claim, 0, 1, '')).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'operation_id' }],
    });
    for (const name of ['', 'ä'.repeat(151)])
      await expect(put(claim, 0, 1, 'op', name)).rejects.toMatchObject({
        reason: 'INVALID_REQUEST',
        fields: [{ field: 'name' }],
      });
    for (let from = 0; from < 200; from += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => put(claim, 0, 1, 'op', `n${from + index}`)));
    await expect(put(claim, 0, 1, 'op', 'one more')).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    expect(await put(claim, 1, 2, 'op-2', 'n0')).toMatchObject({ outcome: PutOutcome.PUT_OUTCOME_WRITTEN });
  });

  it('is deleted with its workflow, and stays deleted', async () => {
    const { workflowId, claim } = await claimed();
    const other = await claimed();
    await put(claim, 0, 'gone');
    await put(other.claim, 0, 'stays');
    await service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, service.as('u1', 'editor'));
    expect(await get(claim)).toEqual({ version: 0, valueJson: '' });
    await expect(put(claim, 0, 'ghost')).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
    expect(await get(claim)).toEqual({ version: 0, valueJson: '' });
    expect(await get(other.claim)).toMatchObject({ version: 1 });
  });

  it('is removed by a second deletion of the workflow if the first one failed to', async () => {
    const { workflowId, claim } = await claimed();
    await service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, service.as('u1', 'editor'));
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    const now = new Date();
    await stateModel(database.connection).create({
      _id: `${workflowId}:n`,
      workflowId,
      name: 'n',
      ownerId: 'u1',
      version: 1,
      valueJson: '1',
      writer: claim,
      writes: [],
      createdAt: now,
      updatedAt: now,
    });
    await expect(
      service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, service.as('u1', 'editor')),
    ).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_FOUND',
    });
    expect(await stateModel(database.connection).countDocuments({ workflowId })).toBe(0);
  });

  it('refuses writes, and loses nothing, while claims cannot be checked', async () => {
    const { claim } = await claimed();
    await put(claim, 0, 'old');
    service.executions.setDown(true);
    await expect(put(claim, 1, 'new')).rejects.toMatchObject({ kind: 'unavailable' });
    service.executions.setDown(false);
    expect(await get(claim)).toEqual({ version: 1, valueJson: '"old"' });
  });

  it('serves runners only', async () => {
    const { claim } = await claimed();
    await expect(service.stateFromGateway.getState({ ...claim, name: 'n' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      service.stateFromGateway.getState({ ...claim, name: 'n' }, service.as('u1', 'owner')),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
