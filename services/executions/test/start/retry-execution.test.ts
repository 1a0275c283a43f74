import { ExecutionMode, ExecutionState } from '@weft/proto/executions';
import { RetryFrom, RetryVersion } from '@weft/proto/retries';
import type { ClaimedExecution, NodeRun } from '@weft/proto/runner';
import { until } from '@weft/service-kit/testing';
import { ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import {
  claim,
  failedReportOf,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startTestStack,
  webhookStartOf,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const NODES = [
  { name: 'Start', type: 'a-nodes-base.manualTrigger' },
  { name: 'A', type: 'a-nodes-base.set' },
  { name: 'B', type: 'a-nodes-base.httpRequest' },
];
const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
const CONNECTIONS = { Start: to('A'), A: to('B') };
const STATE = Buffer.from('{"at":"B"}');
const CURRENT = { from: RetryFrom.RETRY_FROM_FAILED_NODE, version: RetryVersion.RETRY_VERSION_CURRENT };
const FROM_START = { from: RetryFrom.RETRY_FROM_START, version: RetryVersion.RETRY_VERSION_ORIGINAL };

describe('RetryExecution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '250' });
  });
  afterAll(() => stack.stop());

  const addWorkflow = (fields: object = {}): FakeWorkflow =>
    stack.workflows.add({ nodes: NODES, connections: CONNECTIONS, ...fields });
  /** A run whose third node failed, with the state in which it would run again. */
  const failed = async (
    workflow = addWorkflow(),
    records: readonly object[] = [{ data: 'start' }, { data: 'a' }],
  ): Promise<string> => {
    const executionId = await start(replica, workflow, { input: Buffer.from('{"n":1}') });
    await claim(replica, executionId);
    const nodeRuns = [
      nodeRun('Start', 0, records[0]),
      nodeRun('A', 1, records[1]),
      nodeRun('B', 2, { error: 'no' }, { failed: true }),
    ];
    await replica.runner.report({
      entries: [failedReportOf(executionId, 1, { nodeRuns, lastNode: 'B', engineState: STATE, engineStateRuns: 2 })],
    });
    return executionId;
  };
  it('needs a runner that supports the version of the state it takes over', async () => {
    const executionId = await start(replica, addWorkflow());
    await claim(replica, executionId);
    const state = { engineState: STATE, engineStateVersion: 7, engineStateRuns: 1 };
    const nodeRuns = [nodeRun('Start', 0), nodeRun('A', 1, { error: 'no' }, { failed: true })];
    await replica.runner.report({ entries: [failedReportOf(executionId, 1, { nodeRuns, lastNode: 'A', ...state })] });
    await expect(claim(replica, await retry(executionId))).rejects.toThrow('refused');
  });

  const retry = async (executionId: string, fields: object = {}, principal = OWNER): Promise<string> =>
    (
      await replica.retries.retryExecution(
        { executionId, options: undefined, idempotencyKey: '', ...fields },
        { principal },
      )
    ).started?.executionId ?? '';
  const runsOf = async ({ executionId, fence }: ClaimedExecution): Promise<NodeRun[]> => {
    const runs: NodeRun[] = [];
    for await (const { nodeRuns } of replica.runner.readNodeRuns({ executionId, fence })) runs.push(...nodeRuns);
    return runs;
  };
  const get = async (executionId: string) =>
    (await replica.executions.getExecution({ executionId }, { principal: OWNER })).execution;

  it('continues at the failed node, with the input, the state and the node runs before it', async () => {
    const workflow = addWorkflow();
    const original = await failed(workflow);
    const id = await retry(original);
    const claimed = await claim(replica, id);
    expect(claimed).toMatchObject({
      mode: ExecutionMode.EXECUTION_MODE_RETRY,
      retriedMode: ExecutionMode.EXECUTION_MODE_MANUAL,
      versionId: workflow.versionId,
      startNode: 'Start',
      checkpoint: 0,
      input: Buffer.from('{"n":1}'),
      engineState: STATE,
    });
    expect(
      (await runsOf(claimed)).map(({ node, executionIndex, recordJson }) => [
        node,
        executionIndex,
        JSON.parse(recordJson.toString()),
      ]),
    ).toEqual([
      ['Start', 0, { data: 'start' }],
      ['A', 1, { data: 'a' }],
    ]);
    expect(await get(id)).toMatchObject({ retryOf: original, lastNode: 'A', nodeRunCount: 2 });
  });

  it('begins at the start with other items, for callers who may start the workflow', async () => {
    const original = await failed();
    const options = { from: RetryFrom.RETRY_FROM_INPUT, version: RetryVersion.RETRY_VERSION_ORIGINAL };
    const input = Buffer.from('[{"json":{"n":2}}]');
    const id = await retry(original, { options, input, idempotencyKey: 'other items' });
    expect(await claim(replica, id)).toMatchObject({ input, engineState: Buffer.alloc(0), startNode: 'Start' });
    expect(await retry(original, { options, input, idempotencyKey: 'other items' })).toBe(id);
    const reasons = (fields: object, principal = OWNER) =>
      retry(original, fields, principal).catch((error: unknown) =>
        error instanceof ServiceError ? error.reason : error,
      );
    const third = Buffer.from('[{"json":{"n":3}}]');
    expect(await reasons({ options, input: third, idempotencyKey: 'other items' })).toBe('IDEMPOTENCY_KEY_REUSED');
    for (const wrong of ['{}', '[1]', 'no JSON'].map((text) => Buffer.from(text)))
      expect(await reasons({ options, input: wrong })).toBe('INVALID_REQUEST');
    expect(await reasons({ options })).toBe('INVALID_REQUEST');
    expect(await reasons({ options: FROM_START, input })).toBe('INVALID_REQUEST');
    const onlyRetries = { ...OWNER, scopes: ['executions:read', 'executions:write'] as const };
    expect(await reasons({ options, input }, onlyRetries)).toBe('FORBIDDEN');
    expect(await retry(original, { options: FROM_START }, onlyRetries)).not.toBe('');
  });

  it('copies large records and states, which all outlive the original', async () => {
    const [large, medium] = [
      { data: 'x'.repeat(1_500_000) },
      { data: Array.from({ length: 20_000 }, () => Math.random()) },
    ];
    const executionId = await start(replica, addWorkflow());
    await claim(replica, executionId);
    await replica.runner.putChunk([
      { executionId, fence: 1, chunkId: 'run-0', data: Buffer.from(JSON.stringify(large)) },
    ]);
    const nodeRuns = [
      nodeRun('Start', 0, {}, { recordJson: Buffer.alloc(0), chunkId: 'run-0' }),
      nodeRun('A', 1, medium),
      nodeRun('B', 2, {}, { failed: true }),
    ];
    const state = Buffer.alloc(100_000, 's');
    await replica.runner.report({
      entries: [failedReportOf(executionId, 1, { nodeRuns, engineState: state, engineStateRuns: 2 })],
    });
    const id = await retry(executionId);
    await replica.executions.deleteExecution({ executionId }, { principal: OWNER });
    const claimed = await claim(replica, id);
    const parts: Buffer[] = [];
    for await (const { data } of replica.runner.getChunk({
      executionId: id,
      fence: 1,
      chunkId: claimed.engineStateChunkId,
    }))
      parts.push(data);
    expect(Buffer.concat(parts).equals(state)).toBe(true);
    expect((await runsOf(claimed)).map(({ recordJson }) => JSON.parse(recordJson.toString()))).toEqual([large, medium]);
    await replica.runner.report({ entries: [reportOf(id, 1, { nodeRuns: [nodeRun('B', 2)], lastNode: 'B' })] });
    expect((await get(id))?.nodeRunCount).toBe(3);
  });

  it('reads the files that its data references, even when the original was deleted, and no others', async () => {
    const put = async (executionId: string): Promise<string> => {
      const chunkId = `file-${uuidv7()}`;
      await replica.runner.putChunk([
        {
          executionId,
          fence: 1,
          chunkId,
          mimeType: 'text/csv',
          fileName: 'rows.csv',
          data: Buffer.from(`of ${executionId}`),
        },
      ]);
      return `${executionId}.1.${chunkId}`;
    };
    const stranger = (await claim(replica, await start(replica, addWorkflow()))).executionId;
    const foreign = await put(stranger);
    const uploaded = uuidv7();
    const input = async function* () {
      yield { executionId: uploaded, fileKey: 'a1', mimeType: 'text/plain', data: Buffer.from('sent along') };
    };
    const { fileId } = await replica.executions.putInputFile(input());
    await replica.executions.startExecution({
      start: webhookStartOf(addWorkflow(), {
        executionId: uploaded,
        startNode: 'Start',
        input: Buffer.from(`[{"json":{},"binary":{"data":{"id":"${fileId}"}}}]`),
      }),
    });
    await claim(replica, uploaded);
    const made = await put(uploaded);
    const nodeRuns = [
      nodeRun('Start', 0, { binary: { data: { id: made } } }),
      nodeRun('A', 1, { json: { id: foreign } }),
      nodeRun('B', 2, {}, { failed: true }),
    ];
    await replica.runner.report({
      entries: [failedReportOf(uploaded, 1, { nodeRuns, engineState: STATE, engineStateRuns: 2 })],
    });

    const first = await retry(uploaded);
    await replica.executions.deleteExecution({ executionId: uploaded }, { principal: OWNER });
    const read = async (executionId: string, chunkId: string): Promise<string> => {
      const parts: Buffer[] = [];
      for await (const { data } of replica.runner.getChunk({ executionId, fence: 1, chunkId })) parts.push(data);
      return Buffer.concat(parts).toString();
    };
    await claim(replica, first);
    expect([await read(first, fileId), await read(first, made)]).toEqual(['sent along', `of ${uploaded}`]);
    await expect(read(first, foreign)).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
    const facts = [];
    for await (const { mimeType, fileName } of replica.executions.readBinary(
      { executionId: first, fileId: made },
      { principal: OWNER },
    ))
      facts.push({ mimeType, fileName });
    expect(facts[0]).toEqual({ mimeType: 'text/csv', fileName: 'rows.csv' });
    await replica.runner.report({ entries: [failedReportOf(first, 1)] });

    const second = await retry(first, { options: FROM_START });
    await replica.executions.deleteExecution({ executionId: first }, { principal: OWNER });
    await claim(replica, second);
    expect(await read(second, fileId)).toBe('sent along');
    await expect(read(second, made)).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
  });

  it('begins at the start with only the input if requested', async () => {
    const claimed = await claim(replica, await retry(await failed(), { options: FROM_START }));
    expect([claimed.input.toString(), claimed.engineState.length, await runsOf(claimed)]).toEqual(['{"n":1}', 0, []]);
  });

  it(
    'continues from the last checkpoint after a cancellation, a time-out and a crash, or from the start if there ' +
      'was none',
    async () => {
      const under = async (
        fields: object,
        environment: Replica,
        end: (id: string) => Promise<unknown>,
      ): Promise<unknown> => {
        const executionId = await start(environment, addWorkflow(fields));
        await claim(environment, executionId);
        await environment.runner.checkpoint({
          entries: [{ executionId, fence: 1, checkpoint: 1, nodeRuns: [nodeRun('Start', 0)], engineState: STATE }],
        });
        await end(executionId);
        await until('the end', async () => (await stack.stored(executionId))?.finishedAt);
        const claimed = await claim(replica, await retry(executionId));
        return [claimed.engineState, (await runsOf(claimed)).map(({ node }) => node)];
      };
      /** It considers all runs dead soon, so it runs only until this run has crashed. */
      const crash = async (executionId: string): Promise<void> => {
        const impatient = await stack.startReplica({ SWEEP_MS: '100', LEASE_MS: '200' });
        await until('the crash', async () => (await stack.stored(executionId))?.finishedAt);
        await impatient.stop();
      };
      const retries = [
        await under({}, replica, (executionId) =>
          replica.executions.cancelExecution({ executionId }, { principal: OWNER }),
        ),
        await under({ settings: { executionTimeout: 0.3 } }, replica, () => Promise.resolve()),
        await under({ settings: { crashPolicy: 'fail' } }, replica, crash),
      ];
      expect(retries).toEqual(retries.map(() => [STATE, ['Start']]));
      const never = await start(replica, addWorkflow());
      await replica.executions.cancelExecution({ executionId: never }, { principal: OWNER });
      expect(await claim(replica, await retry(never))).toMatchObject({
        engineState: Buffer.alloc(0),
        startNode: 'Start',
      });
    },
  );

  it('repeats node runs reported with an end that no node caused', async () => {
    const executionId = await start(replica, addWorkflow());
    await claim(replica, executionId);
    await replica.runner.checkpoint({
      entries: [{ executionId, fence: 1, checkpoint: 1, nodeRuns: [nodeRun('Start', 0)], engineState: STATE }],
    });
    await replica.runner.report({
      entries: [failedReportOf(executionId, 1, { checkpoint: 1, nodeRuns: [nodeRun('A', 1)] })],
    });
    const claimed = await claim(replica, await retry(executionId));
    expect((await runsOf(claimed)).map(({ node }) => node)).toEqual(['Start']);
  });

  it('returns the same retry for the same key, and refuses the key for another request', async () => {
    const original = await failed();
    const first = await retry(original, { idempotencyKey: 'again' });
    expect(await retry(original, { idempotencyKey: 'again' })).toBe(first);
    await expect(retry(original, { idempotencyKey: 'again', options: FROM_START })).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    await expect(retry(await failed(), { idempotencyKey: 'again' })).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await retry(original)).not.toBe(first);
  });

  it('continues in the current version if the nodes that ran are unchanged, with current parameters', async () => {
    const workflow = addWorkflow();
    const original = await failed(workflow);
    const fixed = stack.workflows.replace(workflow, {
      nodes: NODES.map((node) => ({ ...node, parameters: { fixed: true } })),
      connections: { ...CONNECTIONS, B: to('A') },
    });
    expect(await claim(replica, await retry(original, { options: CURRENT }))).toMatchObject({
      versionId: fixed.versionId,
      engineState: STATE,
    });
    expect(await claim(replica, await retry(original))).toMatchObject({ versionId: workflow.versionId });
  });

  it.each([
    ['without a node that has run', { nodes: NODES.filter(({ name }) => name !== 'A') }, 'A'],
    [
      'with another kind of such a node',
      { nodes: NODES.map((node) => (node.name === 'A' ? { ...node, type: 'a-nodes-base.code' } : node)) },
      'A',
    ],
    ['that leads elsewhere from there', { connections: { ...CONNECTIONS, Start: to('B') } }, 'Start'],
  ])(
    'refuses to continue in a version %s, and reports where; a retry from the start works',
    async (_what, changes, field) => {
      const workflow = addWorkflow();
      const original = await failed(workflow);
      stack.workflows.replace(workflow, changes);
      await expect(retry(original, { options: CURRENT })).rejects.toMatchObject({
        reason: 'RETRY_NOT_POSSIBLE',
        details: { executionId: original },
        fields: [{ field }],
        message: expect.stringContaining('from the start'),
      });
      await expect(
        retry(original, { options: { ...CURRENT, from: RetryFrom.RETRY_FROM_START } }),
      ).resolves.toBeDefined();
    },
  );

  it('refuses runs that have not ended, have no failed node, are unknown or belong to others', async () => {
    const workflow = addWorkflow();
    const running = await start(replica, workflow);
    await expect(retry(running)).rejects.toMatchObject({
      kind: 'conflict',
      reason: 'EXECUTION_NOT_FINISHED',
      details: { executionId: running },
    });
    await claim(replica, running);
    await replica.runner.report({ entries: [reportOf(running, 1)] });
    await expect(retry(running)).rejects.toMatchObject({ kind: 'conflict', reason: 'RETRY_NOT_POSSIBLE' });
    await expect(retry(running, { options: FROM_START })).resolves.toBeDefined();
    await expect(retry(uuidv7())).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
    const original = await failed(workflow);
    await expect(retry(original, {}, { userId: 'other', role: 'editor' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(retry(original, {}, { userId: workflow.ownerId, role: 'viewer' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    stack.workflows.remove(workflow);
    await expect(retry(original)).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
  });

  it('links the original to the retry that succeeded, and reports the original to error workflows', async () => {
    const errors = stack.workflows.add(
      { nodes: [{ name: 'On error', type: 'a-nodes-base.errorTrigger' }] },
      OWNER.userId,
    );
    const original = await failed(
      stack.workflows.add(
        { nodes: NODES, connections: CONNECTIONS, settings: { errorWorkflow: errors.workflowId } },
        OWNER.userId,
      ),
    );
    const broken = await retry(original);
    await claim(replica, broken);
    await replica.runner.report({ entries: [failedReportOf(broken, 1)] });
    await stack.completed(broken);
    const told = await stack.database
      .collection<{ _id: string; idempotencyKey: string; input: { buffer: Buffer } }>('executions')
      .findOne({ idempotencyKey: `err:${broken}` });
    expect(JSON.parse(Buffer.from(told?.input.buffer ?? '').toString())).toMatchObject([
      { json: { execution: { id: broken, retryOf: original, mode: 'retry' } } },
    ]);
    expect((await get(original))?.retrySuccessId).toBeUndefined();
    const good = await retry(original);
    await claim(replica, good);
    await replica.runner.report({ entries: [reportOf(good, 1)] });
    await stack.completed(good);
    expect(await get(original)).toMatchObject({ state: ExecutionState.EXECUTION_STATE_ERROR, retrySuccessId: good });
  });
});
