import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dataOf, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { chain, connect, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

const start = node('Start', 'manualTrigger', 1, 0);
const set = (name: string, x: number, value: string, extra: object = {}): NodeFile =>
  node(name, 'set', 3.4, x, { assignments: { assignments: [{ id: 'a', name, value, type: 'string' }] } }, { ...extra });

describe('running some nodes of a draft', () => {
  let stack: Stack;
  let rest: Rest;
  let server: Server;
  let url = '';
  let called: string[] = [];
  let workflow: WorkflowFile;
  let id = '';

  /** Asks twice, makes a file of the second answer, and reads it. */
  const asking = (): WorkflowFile => ({
    name: 'asking',
    nodes: [
      start,
      node('One', 'httpRequest', 4.2, 200, { url: `${url}one`, options: {} }),
      node('Two', 'httpRequest', 4.2, 400, { method: 'POST', url: `${url}two`, options: {} }),
      node('File', 'convertToFile', 1.1, 600, { operation: 'toJson', options: { fileName: 'two.json' } }),
      node('Read', 'extractFromFile', 1, 800, { operation: 'fromJson', options: {} }),
      set('End', 1_000, "={{ $('One').item.json.n }}"),
      node('Last', 'httpRequest', 4.2, 1_200, { url: `${url}last`, options: {} }),
    ],
    connections: connect({
      Start: [['One']],
      One: [['Two']],
      Two: [['File']],
      File: [['Read']],
      Read: [['End']],
      End: [['Last']],
    }),
    settings: { executionOrder: 'v1' },
  });
  const changed = (file: WorkflowFile, name: string, parameters: object): WorkflowFile => ({
    ...file,
    nodes: file.nodes.map((one) =>
      one.name === name ? { ...one, parameters: { ...one.parameters, ...parameters } } : one,
    ),
  });
  const execute = (body: object, workflowId = id, client = rest): Promise<RestAnswer> =>
    client('POST', `/workflows/${workflowId}/execute`, { wait: true, ...body });
  const read = async (answer: RestAnswer) => dataOf(await rest('GET', `/executions/${textOf(answer, 'executionId')}`));
  type RunData = Readonly<Record<string, readonly { data?: { main: { json: unknown }[][] } }[]>>;
  const runData = async (answer: RestAnswer): Promise<RunData> => {
    const { data }: { data: { resultData: { runData: RunData } } } = JSON.parse(JSON.stringify(await read(answer)));
    return data.resultData.runData;
  };
  const jsonOf = (runs: RunData, name: string): unknown => runs[name]?.[0]?.data?.main?.[0]?.map(({ json }) => json);

  beforeAll(async () => {
    server = createServer((request, response) => {
      called.push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ n: called.length }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    workflow = asking();
    id = textOf(await rest('POST', '/workflows', workflow), 'id');
  });
  beforeEach(() => {
    called = [];
  });
  afterAll(async () => {
    await giveStackBack(stack);
    server.closeAllConnections();
    server.close();
  });

  it('runs the draft instead of the stored workflow, which stays as it is', async () => {
    const draft = changed(workflow, 'One', { url: `${url}draft` });
    const answer = await execute({ definition: draft });
    expect([answer.status, answer.json.data]).toEqual([
      201,
      { executionId: expect.any(String), status: 'success', reused: [] },
    ]);
    expect(called).toEqual(['/draft', '/two', '/last']);
    const stored = JSON.stringify(dataOf(await rest('GET', `/workflows/${id}`)));
    expect(stored).toContain(`${url}one`);
    expect(stored).not.toContain('draft');
    const { versionId } = await read(answer);
    const version = await rest('GET', `/workflows/${id}/versions/${String(versionId)}`);
    expect([version.status, version.text]).toEqual([200, expect.stringContaining(`${url}draft`)]);
  });

  it('runs up to a node, then only what has changed, with the files and items of the earlier execution', async () => {
    const first = await execute({ destinationNode: 'Read' });
    expect([called, dataOf(first)['reused']]).toEqual([['/one', '/two'], []]);
    const draft = changed(workflow, 'Two', { options: { timeout: 5_000 } });
    const second = await execute({
      definition: draft,
      destinationNode: 'End',
      reuseFrom: textOf(first, 'executionId'),
    });
    expect([called, dataOf(second)['reused']]).toEqual([
      ['/one', '/two', '/two'],
      ['Start', 'One'],
    ]);
    // The first one may be deleted: the second has copies of what it used.
    const third = await execute({
      definition: draft,
      destinationNode: 'End',
      reuseFrom: textOf(second, 'executionId'),
    });
    expect((await rest('DELETE', `/executions/${textOf(first, 'executionId')}`)).status).toBe(200);
    expect((await rest('DELETE', `/executions/${textOf(second, 'executionId')}`)).status).toBe(200);
    expect([called.length, dataOf(third)['reused']]).toEqual([3, ['Start', 'One', 'Two', 'File', 'Read']]);
    const runs = await runData(third);
    expect([jsonOf(runs, 'Read'), jsonOf(runs, 'End')]).toEqual([[{ data: [{ n: 3 }] }], [{ End: '1' }]]);
    expect(await read(third)).toMatchObject({
      state: 'success',
      usePinData: true,
      partial: { destinationNode: 'End', reused: ['Start', 'One', 'Two', 'File', 'Read'] },
    });
    expect(Object.keys(runs)).toEqual(['Start', 'One', 'Two', 'File', 'Read', 'End']);
  });

  it('runs from a node and one node alone, and counts side effects', async () => {
    const all = textOf(await execute({}), 'executionId');
    const from = await execute({ startNode: 'Two', reuseFrom: all });
    expect([called.slice(3), dataOf(from)['reused']]).toEqual([
      ['/two', '/last'],
      ['Start', 'One'],
    ]);
    const only = await execute({ startNode: 'Two', destinationNode: 'Two', reuseFrom: all });
    expect([called.slice(5), Object.keys(await runData(only))]).toEqual([['/two'], ['Start', 'One', 'Two']]);
  });

  it('begins behind pinned nodes, whether or not anything ran before', async () => {
    const draft = { ...workflow, pinData: { Read: [{ json: { pinned: 1 } }], One: [{ json: { n: 'pin' } }] } };
    const pinned = await execute({
      definition: { ...draft, pinData: { Read: [{ json: { n: 7 } }] } },
      destinationNode: 'Read',
    });
    expect([called, await runData(pinned)]).toMatchObject([[], { Read: [{ pinned: true }] }]);
    const end = changed(draft, 'End', {
      assignments: { assignments: [{ id: 'a', name: 'x', value: '={{ $json.pinned }}', type: 'string' }] },
    });
    const answer = await execute({ definition: end, destinationNode: 'End' });
    expect([called, jsonOf(await runData(answer), 'End')]).toEqual([[], [{ x: '1' }]]);
    const real = await execute({ definition: draft, destinationNode: 'One', usePinData: false });
    expect([called, await read(real)]).toMatchObject([['/one'], { usePinData: false }]);
  });

  it('ignores faults of nodes that do not run, and names those of nodes that do', async () => {
    const broken = changed(workflow, 'Last', { url: '' });
    expect((await execute({ definition: broken, destinationNode: 'One' })).status).toBe(201);
    expect(await execute({ definition: broken, destinationNode: 'Last' })).toMatchObject({
      status: 400,
      json: { error: { details: { reason: 'WORKFLOW_NOT_RUNNABLE' } } },
    });
    expect(await execute({ destinationNode: 'Nowhere' })).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('no node called "Nowhere"') } },
    });
  });

  it('says why output cannot be used again', async () => {
    const reasonOf = async (body: object, workflowId = id) =>
      (await execute(body, workflowId)).json.error?.details?.['reason'];
    const other = textOf(await rest('POST', '/workflows', chain('other', [start, set('A', 200, 'a')])), 'id');
    const ran = textOf(await execute({}, other), 'executionId');
    expect(await reasonOf({ destinationNode: 'End', reuseFrom: ran })).toBe('REUSE_NOT_POSSIBLE');
    const unknown = '0190a0a0-0000-7000-8000-000000000000';
    expect(await execute({ destinationNode: 'End', reuseFrom: unknown })).toMatchObject({
      status: 404,
      json: { error: { details: { executionId: unknown } } },
    });
    const one = textOf(await execute({ destinationNode: 'One' }), 'executionId');
    const alone = await execute({ startNode: 'End', destinationNode: 'End', reuseFrom: one });
    expect([alone.status, alone.json.error?.details]).toMatchObject([409, { reason: 'REUSE_NOT_POSSIBLE' }]);
    expect(alone.text).toContain('Read');
    expect((await execute({ reuseFrom: one })).status).toBe(400);
    const waiting = chain('waits', [
      start,
      node('Wait', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 1, unit: 'hours' }),
    ]);
    const slow = textOf(await rest('POST', '/workflows', waiting), 'id');
    const open = textOf(await rest('POST', `/workflows/${slow}/execute`), 'executionId');
    await until('it waits', async () => dataOf(await rest('GET', `/executions/${open}`))['state'] === 'waiting');
    expect(await reasonOf({ destinationNode: 'Wait', reuseFrom: open }, slow)).toBe('EXECUTION_NOT_FINISHED');
    await rest('POST', `/executions/${open}/cancel`);
  });

  it('is the same execution with the same idempotency key, and a conflict for another part', async () => {
    const key = { 'idempotency-key': 'part 1' };
    const run = (body: object) => rest('POST', `/workflows/${id}/execute`, body, key);
    const all = textOf(await execute({}), 'executionId');
    const part = { destinationNode: 'End', reuseFrom: all };
    const [first, again] = [await run(part), await run(part)];
    expect(dataOf(again)).toMatchObject({
      executionId: textOf(first, 'executionId'),
      reused: ['Start', 'One', 'Two', 'File', 'Read'],
    });
    expect((await run({ destinationNode: 'Read', reuseFrom: all })).status).toBe(409);
  });

  it('gives a draft the rights of a saved workflow, and no more', async () => {
    const clientOf = async (name: string, role: 'editor' | 'viewer') =>
      restClient(stack.baseUrls[0] ?? '', await makeUser(stack, name, role));
    const editor = await clientOf('partial-editor', 'editor');
    const viewer = await clientOf('partial-viewer', 'viewer');
    const secret = { name: 'key', type: 'httpHeaderAuth', data: { name: 'x-key', value: 'very secret' } };
    const credentialId = textOf(await rest('POST', '/credentials', secret), 'id');
    const mine = textOf(await editor('POST', '/workflows', chain('mine', [start, set('A', 200, 'a')])), 'id');
    const stealing = (url: string) =>
      chain('mine', [
        start,
        node(
          'Send',
          'httpRequest',
          4.2,
          200,
          { url, authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth', options: {} },
          { credentials: { httpHeaderAuth: { id: credentialId, name: 'key' } } },
        ),
      ]);
    const theft = { definition: stealing(`${url}theft`) };
    const refused = { status: 403, json: { error: { details: { reason: 'CREDENTIAL_NOT_GRANTED' } } } };
    expect(await execute(theft, mine, editor)).toMatchObject(refused);
    expect(await editor('PUT', `/workflows/${mine}`, theft.definition)).toMatchObject(refused);
    // By name only: it is not linked either, and the node fails.
    const named = JSON.parse(JSON.stringify(theft).replace(`"id":"${credentialId}",`, ''));
    expect(dataOf(await execute(named, mine, editor))['status']).toBe('error');
    // Others may neither run a draft as this workflow, nor use what it gave.
    expect((await execute({ definition: workflow }, id, editor)).status).toBe(403);
    expect((await execute({ destinationNode: 'One' }, id, editor)).status).toBe(403);
    expect((await execute({ destinationNode: 'A' }, mine, viewer)).status).toBe(403);
    expect(called).toEqual([]);
    // The owner of the credential may send the same draft for a workflow that it owns.
    expect(dataOf(await execute(theft))['status']).toBe('success');
    expect(called).toEqual(['/theft']);
  });

  it('cannot be retried from the start, which would run all nodes', async () => {
    const failing = changed(workflow, 'Two', { url: 'http://127.0.0.1:1/' });
    const failed = await execute({ definition: failing, destinationNode: 'Read' });
    const retry = (body: object) => rest('POST', `/executions/${textOf(failed, 'executionId')}/retry`, body);
    expect((await retry({ from: 'start' })).json.error?.details).toMatchObject({ reason: 'RETRY_NOT_POSSIBLE' });
    const again = await retry({});
    expect(again.status).toBe(201);
    await until('it ends', async () => (await read(again))['status'] === 'error');
    expect(called).toEqual(['/one']);
  });
});
