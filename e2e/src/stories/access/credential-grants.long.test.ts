import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { chain, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

const SECRET = 'shared between two projects';
/** Only a holder of the secret can make this. */
const PROOF = createHmac('sha256', SECRET).update('message').digest('hex');
const REFUSED = 'is not granted to';
const LIST_LOST = join(__dirname, '../../../../../deploy/list-lost-credentials.mjs');

const start = node('Start', 'manualTrigger', 1, 0);
const called = node('Start', 'executeWorkflowTrigger', 1.1, 0, { inputSource: 'passthrough' });

// A project shares a credential with another project and with a friend there. A member of the other project is hostile;
// the friend's workflows continue to use the credential all the time.
describe('a credential that one project grants to another', () => {
  let stack: Stack;
  let owner: Rest;
  /** Admin of the project that owns it, which is closed. */
  let giving: Rest;
  /** Editor of the project that it is granted to, for a while. */
  let hostile: Rest;
  /** Editor of the project that it is granted to all the time. */
  let healthy: Rest;
  let [giver, taker, friend, apart] = ['', '', '', ''];
  let credentialId = '';

  const proving = (): NodeFile =>
    node(
      'Prove',
      'crypto',
      2,
      400,
      { action: 'hmac', type: 'SHA256', value: 'message' },
      { credentials: { crypto: { id: credentialId, name: 'shared' } } },
    );
  const store = async (rest: Rest, file: WorkflowFile, projectId?: string): Promise<string> =>
    textOf(await rest('POST', '/workflows', { ...file, ...(projectId === undefined ? {} : { projectId }) }), 'id');
  const textOfRun = async (rest: Rest, id: string): Promise<string> => (await rest('GET', `/executions/${id}`)).text;
  /** Runs a workflow to its end. @returns the whole execution as text */
  const run = async (rest: Rest, workflowId: string): Promise<{ readonly id: string; readonly text: string }> => {
    const id = textOf(await rest('POST', `/workflows/${workflowId}/execute`, { wait: true }), 'executionId');
    return { id, text: await textOfRun(rest, id) };
  };
  const ended = (id: string): Promise<string> =>
    until('it ends', async () => {
      const execution = await hostile('GET', `/executions/${id}`);
      return /^(?:success|error)$/.test(String(dataOf(execution)['status'])) && execution.text;
    });
  const grants = (projectId: string): string => `/credentials/${credentialId}/grants/${projectId}`;
  const share = async (projectId = taker): Promise<void> => {
    expect((await giving('PUT', grants(projectId))).status).toBe(200);
  };
  const revoke = async (projectId = taker): Promise<void> => {
    expect((await giving('DELETE', grants(projectId))).json.data).toEqual({ success: true });
  };

  beforeAll(async () => {
    stack = await borrowStack();
    const clientOf = (key: string): Rest => restClient(stack.baseUrls[0] ?? '', key);
    owner = clientOf(stack.apiKey);
    const user = async (name: string, memberships: readonly (readonly [string, string])[]): Promise<Rest> => {
      const client = clientOf(await makeUser(stack, name, 'editor'));
      for (const [projectId, role] of memberships) {
        const joins = { email: `${name}@users.invalid`, role };
        expect((await owner('POST', `/projects/${projectId}/members`, joins)).status).toBe(201);
      }
      return client;
    };
    const project = async (name: string, closed = false): Promise<string> =>
      textOf(await owner('POST', '/projects', { name, closed }), 'id');
    giver = await project('grants: giver', true);
    [taker, friend, apart] = [await project('taker'), await project('friend'), await project('apart')];
    giving = await user('grants-giving', [[giver, 'admin']]);
    hostile = await user('grants-hostile', [
      [taker, 'admin'],
      [apart, 'admin'],
    ]);
    healthy = await user('grants-healthy', [[friend, 'editor']]);
    const made = { name: 'shared', type: 'crypto', data: { hmacSecret: SECRET }, projectId: giver };
    credentialId = textOf(await giving('POST', '/credentials', made), 'id');
    await share(friend);
  });
  afterAll(() => giveStackBack(stack));

  it('is used by its workflows, shown to its members by name and type, and opens nothing else', async () => {
    const takes = { ...chain('takes', [start, proving()]), projectId: taker };
    const refused = await hostile('POST', '/workflows', takes);
    expect(refused).toMatchObject({ status: 403, json: { error: { details: { reason: 'CREDENTIAL_NOT_GRANTED' } } } });
    // The credential, its owner, and how to grant it.
    for (const part of ['\\"shared\\"', 'grants: giver', `PUT /api/v1${grants(taker)}`])
      expect(refused.text).toContain(part);
    await share();
    const id = textOf(await hostile('POST', '/workflows', takes), 'id');
    expect((await run(hostile, id)).text).toContain(PROOF);
    const shown = await hostile('GET', `/projects/${taker}/granted-credentials`);
    expect(shown.json.data).toEqual([
      { id: credentialId, name: 'shared', type: 'crypto', ownerId: giver, grantedAt: expect.any(String) },
    ]);
    expect(listOf(await giving('GET', `/credentials/${credentialId}/grants`)).map((one) => one['projectId'])).toEqual([
      friend,
      taker,
    ]);
    // The giving project stays closed, and its other contents stay unknown.
    const secret = await store(giving, chain('of the giver', [start]), giver);
    for (const [method, path, body] of [
      ['GET', `/workflows/${secret}`],
      ['GET', `/credentials/${credentialId}`],
      ['PUT', `/credentials/${credentialId}`, { data: { hmacSecret: 'mine' } }],
      ['POST', `/credentials/${credentialId}/test`, {}],
      ['DELETE', `/credentials/${credentialId}?force=true`],
      ['GET', `/credentials/${credentialId}/grants`],
      ['PUT', grants(apart)],
      ['DELETE', grants(friend)],
      ['GET', `/projects/${friend}/granted-credentials`],
    ] as const)
      expect([method, path, (await hostile(method, path, body)).status]).toEqual([method, path, 403]);
    await revoke();
    expect((await run(hostile, id)).text).toContain(REFUSED);
    expect((await hostile('GET', `/projects/${taker}/granted-credentials`)).json.data).toEqual([]);
  });

  it('is refused without a grant whatever a hostile member tries, while the friend keeps using it', async () => {
    const friendly = await store(healthy, chain('friendly', [start, proving()], { callerPolicy: 'any' }), friend);
    let isRunning = true;
    const runs = (async (): Promise<string[]> => {
      const texts: string[] = [];
      while (isRunning) texts.push((await run(healthy, friendly)).text);
      return texts;
    })();
    const tries: Record<string, string> = {};
    const failed: Record<string, { readonly id: string; readonly text: string }> = {};
    try {
      // By its id, in workflows of the hostile member and of projects that have no grant: these are not stored.
      for (const projectId of [undefined, apart, taker]) {
        const owned = projectId === undefined ? {} : { projectId };
        const { status } = await hostile('POST', '/workflows', { ...chain('names', [start, proving()]), ...owned });
        expect([projectId, status]).toEqual([projectId, 403]);
      }
      const saved = async (name: string, projectId: string, nodes: NodeFile[], settings = {}): Promise<string> => {
        await share(projectId);
        const id = await store(hostile, chain(name, nodes, settings), projectId);
        await revoke(projectId);
        return id;
      };
      // And in workflows that were stored while there was a grant.
      for (const [name, projectId] of [
        ['apart', apart],
        ['taker', taker],
      ] as const)
        failed[name] = await run(hostile, await saved(name, projectId, [start, proving()]));
      for (const [name, { text }] of Object.entries(failed)) tries[name] = text;
      // As a workflow of another project, as an inline definition, and as a sub-workflow of a project that had a grant.
      const sub = await saved('sub', apart, [called, proving()], { callerPolicy: 'any' });
      await share();
      const target = { workflowId: { __rl: true, mode: 'id', value: sub }, options: {} };
      const calling = [start, node('Call', 'executeWorkflow', 1.2, 200, target)];
      tries['sub-workflow of another project'] = (
        await run(hostile, await store(hostile, chain('calls', calling), taker))
      ).text;
      const json = JSON.stringify(chain('inline', [called, proving()]));
      const inline = node('Call', 'executeWorkflow', 1.1, 200, {
        source: 'parameter',
        workflowJson: json,
        options: {},
      });
      tries['inline'] = (await run(hostile, await store(hostile, chain('sends', [start, inline]), apart))).text;
      // Moved out of the project that has the grant.
      const moving = await store(hostile, chain('moving', [start, proving()]), taker);
      expect((await run(hostile, moving)).text).toContain(PROOF);
      await hostile('PUT', `/workflows/${moving}/transfer`, { destinationProjectId: apart });
      tries['moved'] = (await run(hostile, moving)).text;
      // A run that waited when the grant ended, and a new run of the same workflow for comparison.
      const wait = node('Wait', 'wait', 1.1, 200, { resume: 'webhook', httpMethod: 'POST', options: {} });
      const address = node('Ask', 'set', 3.4, 100, {
        mode: 'manual',
        options: {},
        assignments: {
          assignments: [{ id: 'a', name: 'url', type: 'string', value: '={{ $execution.resumeUrl }}' }],
        },
      });
      const waiting = await store(hostile, chain('waits', [start, address, wait, proving()]), taker);
      const begin = async () => {
        const id = textOf(await hostile('POST', `/workflows/${waiting}/execute`, {}), 'executionId');
        const url = await until('it waits', async () => {
          const execution = await hostile('GET', `/executions/${id}`);
          return dataOf(execution)['status'] === 'waiting' && /"url":"(http[^"]+)"/.exec(execution.text)?.[1];
        });
        return { id, url };
      };
      const wake = async ({ id, url }: Awaited<ReturnType<typeof begin>>): Promise<string> => {
        await fetch(url, { method: 'POST' });
        return ended(id);
      };
      const retried = async (id: string, from: string): Promise<string> =>
        ended(textOf(await hostile('POST', `/executions/${id}/retry`, { from }), 'executionId'));
      expect(await wake(await begin())).toContain(PROOF);
      const woken = await begin();
      await revoke();
      tries['a run that waited'] = await wake(woken);
      // The failed run is retried, from its failed node and from the start.
      tries['retry of a run that waited'] = await retried(woken.id, 'failedNode');
      tries['retry from the start'] = await retried(failed['taker']?.id ?? '', 'start');
      // The friend has a grant, but others cannot call the friend's workflow.
      const friendlyRun = await run(healthy, friendly);
      for (const path of [`/executions/${friendlyRun.id}/retry`, `/workflows/${friendly}/execute`])
        expect((await hostile('POST', path, {})).status).toBe(403);
    } finally {
      isRunning = false;
      await runs;
    }
    for (const [name, text] of Object.entries(tries)) {
      expect([name, text]).toEqual([name, expect.stringContaining(REFUSED)]);
      expect([name, text]).toEqual([name, expect.not.stringContaining(PROOF)]);
    }
    expect((await runs).length).toBeGreaterThan(3);
    for (const text of await runs) expect(text).toContain(PROOF);
  });

  it('is in use at its deletion, and names the workflows of a closed project to those who see them', async () => {
    const hidden = textOf(await owner('POST', '/projects', { name: 'grants: hidden', closed: true }), 'id');
    await share(hidden);
    const open = await store(healthy, chain('in the open', [start, proving()]), friend);
    const behind = await store(owner, chain('behind doors', [start, proving()]), hidden);
    const refusal = async (rest: Rest) => {
      const { status, json, text } = await rest('DELETE', `/credentials/${credentialId}`);
      return { status, text, details: json.error?.details };
    };
    const toGiver = await refusal(giving);
    expect(toGiver).toMatchObject({ status: 409, details: { reason: 'CREDENTIAL_IN_USE', hidden: 'true' } });
    expect(toGiver.text).toContain(open);
    for (const text of [behind, 'behind doors']) expect(toGiver.text).not.toContain(text);
    const toOwner = await refusal(owner);
    expect(toOwner.text).toContain(behind);
    expect(toOwner.details).not.toHaveProperty('hidden');
    // Deleted projects stay closed, which the other stories of this stack would see: it is opened first.
    expect((await owner('PUT', `/projects/${hidden}`, { name: 'grants: hidden', closed: false })).status).toBe(200);
    // The project is deleted, and its grant with it.
    expect((await owner('DELETE', `/projects/${hidden}?transferTo=${apart}`)).status).toBe(200);
    expect((await giving('GET', `/credentials/${credentialId}/grants`)).text).not.toContain(hidden);
  });

  it('of an owner of the instance is not lent to what a user leaves behind and the owner inherits', async () => {
    const made = { name: 'of the owner', type: 'crypto', data: { hmacSecret: SECRET } };
    const id = textOf(await owner('POST', '/credentials', made), 'id');
    const leaver = restClient(stack.baseUrls[0] ?? '', await makeUser(stack, 'grants-leaver', 'editor'));
    const users = listOf(await owner('GET', '/users'));
    const idOf = (field: string, value: string) => String(users.find((user) => user[field] === value)?.['id']);
    const leaverId = idOf('email', 'grants-leaver@users.invalid');
    const ownerId = idOf('role', 'owner');
    const hook = node('Hook', 'webhook', 2, 0, { path: 'left-behind', httpMethod: 'GET', responseMode: 'lastNode' });
    const naming = { ...proving(), credentials: { crypto: { id, name: 'x' } } };
    const file = chain('left behind', [hook, naming]);
    const call = async () => {
      const response = await fetch(`${stack.baseUrls[0] ?? ''}/webhook/left-behind`);
      return { status: response.status, text: await response.text() };
    };
    expect((await leaver('POST', '/workflows', file)).status).toBe(403);
    await owner('PUT', `/credentials/${id}/grants/${leaverId}`);
    const workflowId = await store(leaver, file);
    expect((await leaver('POST', `/workflows/${workflowId}/activate`)).status).toBe(200);
    expect((await call()).text).toContain(PROOF);
    await owner('DELETE', `/credentials/${id}/grants/${leaverId}`);
    expect((await call()).text).not.toContain(PROOF);
    // The script for updates lists it, and grants on request.
    const lists = async (...options: string[]): Promise<string> => {
      const args = [LIST_LOST, stack.baseUrls[0] ?? '', ...options];
      const env = { ...process.env, WEFT_API_KEY: stack.apiKey };
      return (await promisify(execFile)(process.execPath, args, { env })).stdout;
    };
    expect(await lists()).toContain(`PUT /api/v1/credentials/${id}/grants/${workflowId}`);
    await lists('--grant');
    expect((await call()).text).toContain(PROOF);
    expect(await lists()).not.toContain(workflowId);
    await owner('DELETE', `/credentials/${id}/grants/${workflowId}`);
    expect((await owner('DELETE', `/users/${leaverId}?transferTo=${ownerId}`)).status).toBe(200);
    expect(await call()).toMatchObject({ status: 404 });
    expect(dataOf(await owner('GET', `/workflows/${workflowId}`))['active']).toBe(false);
    // Once the owner activates it, it has the credentials of the owner.
    expect((await owner('POST', `/workflows/${workflowId}/activate`)).status).toBe(200);
    expect((await call()).text).toContain(PROOF);
    expect((await owner('DELETE', `/workflows/${workflowId}`)).status).toBe(200);
  });

  it('leaves its grants, their ends and its uses in the audit log', async () => {
    const entries = async (action: string) =>
      listOf(await owner('GET', `/audit?action=${action}&target=${credentialId}&limit=100`)).map(({ about }) => about);
    expect(await entries('credential.grant')).toContainEqual({ credentialId, projectId: taker });
    expect(await entries('credential.revoke')).toContainEqual({ credentialId, projectId: taker });
    expect(await entries('credential.use')).toContainEqual(expect.objectContaining({ credentialId, ownerId: friend }));
    expect((await owner('DELETE', `/credentials/${credentialId}?force=true`)).status).toBe(200);
    expect((await healthy('GET', `/projects/${friend}/granted-credentials`)).json.data).toEqual([]);
  });
});
