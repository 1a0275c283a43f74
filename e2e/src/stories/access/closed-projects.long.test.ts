import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { chain, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

const ROUNDS = 3;
const READERS = 8;
const SECRET = 'only for members';

const set = (name: string, x: number, value: string): NodeFile =>
  node(name, 'set', 3.4, x, {
    mode: 'manual',
    includeOtherFields: false,
    options: {},
    assignments: { assignments: [{ id: 'a', name: 'text', type: 'string', value }] },
  });

const manual = node('Start', 'manualTrigger', 1, 0);

describe('a closed project at two gateways', () => {
  let stack: Stack;
  let owner: Rest;
  let member: readonly Rest[];
  let stranger: readonly Rest[];
  let project = '';

  const clientsOf = (key: string): readonly Rest[] => stack.baseUrls.map((baseUrl) => restClient(baseUrl, key));
  const change = async (closed: boolean): Promise<void> => {
    const answer = await owner('PUT', `/projects/${project}`, { name: 'closed', closed });
    expect([answer.status, answer.json.data]).toEqual([200, expect.objectContaining({ closed })]);
  };
  const store = async (
    rest: Rest,
    file: WorkflowFile & { readonly active?: boolean },
    of?: string,
  ): Promise<string> => {
    const body = { ...file, ...(of === undefined ? {} : { projectId: of }) };
    return textOf(await rest('POST', '/workflows', body), 'id');
  };
  /** Runs a workflow to its end. @returns the whole execution as text */
  const run = async (rest: Rest, workflowId: string): Promise<{ readonly id: string; readonly text: string }> => {
    const started = await rest('POST', `/workflows/${workflowId}/execute`, { wait: true });
    expect([started.status, started.text]).toEqual([expect.any(Number), expect.stringContaining('executionId')]);
    const id = textOf(started, 'executionId');
    return { id, text: (await rest('GET', `/executions/${id}`)).text };
  };
  const statuses = (clients: readonly Rest[], path: string): Promise<number[]> =>
    Promise.all(clients.map(async (client) => (await client('GET', path)).status));
  const first = (clients: readonly Rest[]): Rest => clients[0] ?? owner;

  beforeAll(async () => {
    stack = await borrowStack({ replicas: 2, env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' } } });
    owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    member = clientsOf(await makeUser(stack, 'closed-member', 'editor'));
    stranger = clientsOf(await makeUser(stack, 'closed-stranger', 'editor'));
    project = textOf(await owner('POST', '/projects', { name: 'closed', closed: true }), 'id');
    const joins = { email: 'closed-member@users.invalid', role: 'editor' };
    expect((await owner('POST', `/projects/${project}/members`, joins)).status).toBe(201);
  });
  afterAll(() => giveStackBack(stack));
  beforeEach(() => change(true));

  it('is closed everywhere to each request that begins after the answer, under load and repeatedly', async () => {
    const workflow = await store(first(member), chain('fought over', [manual, set('End', 200, SECRET)]), project);
    const { id } = await run(first(member), workflow);
    const paths = [`/workflows/${workflow}`, `/executions/${id}`];
    interface Reading {
      readonly began: number;
      readonly ended: number;
      readonly status: number;
    }
    let isReading = true;
    const read = async (client: Rest, path: string): Promise<Reading[]> => {
      const readings: Reading[] = [];
      while (isReading) {
        const began = performance.now();
        const { status, text } = await client('GET', path);
        if (status !== 200) expect(text).not.toContain(SECRET);
        readings.push({ began, ended: performance.now(), status });
      }
      return readings;
    };
    const strangers = Array.from({ length: READERS }, (_, index) =>
      read(stranger[index % 2] ?? owner, paths[(index >> 1) % 2] ?? ''),
    );
    const healthy = read(first(member), paths[1] ?? '');
    const closed: (readonly [from: number, to: number])[] = [];
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        await change(false);
        await until('it is read by all', async () => (await statuses(stranger, paths[0] ?? '')).join() === '200,200');
        await change(true);
        const from = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 500));
        closed.push([from, performance.now()]);
      }
    } finally {
      isReading = false;
      await Promise.all([...strangers, healthy]);
    }
    const theirs = (await Promise.all(strangers)).flat();
    expect([...new Set(theirs.map(({ status }) => status))].sort()).toEqual([200, 403]);
    // A request in progress when the project is opened again may see it open.
    const after = theirs.filter(({ began, ended }) => closed.some(([from, to]) => began > from && ended < to));
    expect(after.length).toBeGreaterThan(0);
    expect(after.filter(({ status }) => status !== 403)).toEqual([]);
    // The member keeps reading all the time.
    expect((await healthy).filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('gives its variables, tables and workflows to its own runs alone', async () => {
    await owner('POST', '/variables', { key: 'closed_one', value: SECRET, projectId: project });
    const table = { name: 'closed table', columns: [{ name: 'text', type: 'string' }], projectId: project };
    const tableId = textOf(await owner('POST', '/data-tables', { ...table, shared: true }), 'id');
    await owner('POST', `/data-tables/${tableId}/rows`, { rows: [{ text: SECRET }] });
    const listed = await store(owner, chain('its name is a secret', [manual]), project);
    const dataTableId = { __rl: true, mode: 'id', value: tableId };
    const readers: readonly NodeFile[] = [
      set('Variable', 200, '={{ $vars.closed_one }}'),
      node('Table', 'dataTable', 1, 200, { operation: 'get', dataTableId, returnAll: true }),
    ];
    const getting = node('Instance', 'n8n', 1, 200, {
      resource: 'workflow',
      operation: 'get',
      workflowId: { __rl: true, mode: 'id', value: listed },
    });
    for (const reader of readers) {
      const file = chain(`reads by ${reader.name}`, [manual, reader]);
      for (const rest of [first(stranger), first(member), owner])
        expect((await run(rest, await store(rest, file))).text).not.toContain(SECRET);
      expect((await run(owner, await store(owner, file, project))).text).toContain(SECRET);
    }
    const file = chain('reads by the instance', [manual, getting]);
    for (const rest of [first(stranger), first(member), owner]) {
      const { text } = await run(rest, await store(rest, file));
      expect(text).toContain('belongs to a closed project');
      expect(text).not.toContain('its name is a secret');
    }
    expect((await run(owner, await store(owner, file, project))).text).toContain('its name is a secret');
  });

  it('owns the runs that webhooks start of a workflow that was moved to it', async () => {
    const hook = node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'moved-into', responseMode: 'lastNode' });
    const id = await store(first(member), { ...chain('moved', [hook, set('End', 200, SECRET)]), active: true });
    // Both gateways know the owner of the webhook.
    for (const baseUrl of stack.baseUrls) expect((await callWebhook(baseUrl, 'moved-into', {})).status).toBe(200);
    const moved = await first(member)('PUT', `/workflows/${id}/transfer`, { destinationProjectId: project });
    expect(moved.status).toBe(200);
    for (const baseUrl of stack.baseUrls) expect((await callWebhook(baseUrl, 'moved-into', {})).status).toBe(200);
    const ofProject = listOf(await owner('GET', `/executions?projectId=${project}&workflowId=${id}`));
    expect(ofProject).toHaveLength(2);
    for (const execution of ofProject)
      expect(await statuses(stranger, `/executions/${String(execution['id'])}`)).toEqual([403, 403]);
  });

  it('stays closed to others when it is deleted: owners and admins alone read its executions', async () => {
    const heir = textOf(await owner('POST', '/projects', { name: 'open heir' }), 'id');
    const id = await store(owner, chain('inherited', [manual, set('End', 200, SECRET)]), project);
    const { id: execution } = await run(owner, id);
    expect((await owner('DELETE', `/projects/${project}?transferTo=${heir}`)).status).toBe(200);
    expect(await statuses(stranger, `/workflows/${id}`)).toEqual([200, 200]);
    expect(await statuses([...stranger, ...member], `/executions/${execution}`)).toEqual([403, 403, 403, 403]);
    expect(dataOf(await owner('GET', `/executions/${execution}`))['id']).toBe(execution);
    const retried = await owner('POST', `/executions/${execution}/retry`, { from: 'start' });
    expect([retried.status, retried.text]).toEqual([409, expect.stringContaining('closed project')]);
  });
});
