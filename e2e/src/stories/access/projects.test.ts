import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { connect, node, type WorkflowFile } from '../../support/workflows';

const ROUNDS = 3;

const workflow = (name: string): WorkflowFile => ({
  name,
  nodes: [node('Start', 'manualTrigger', 1, 0), node('End', 'noOp', 1, 200)],
  connections: connect({ Start: [['End']] }),
  settings: { executionOrder: 'v1' },
});

describe('a project at two gateways', () => {
  let stack: Stack;
  let owner: Rest;
  let member: readonly Rest[];
  let stranger: readonly Rest[];
  let memberId = '';
  let project = '';

  const clientsOf = (key: string): readonly Rest[] => stack.baseUrls.map((baseUrl) => restClient(baseUrl, key));
  const join = (role: string) => owner('POST', `/projects/${project}/members`, { userId: memberId, role });
  /** A workflow of the owner that is moved to the project. */
  const moved = async (name: string): Promise<string> => {
    const id = textOf(await owner('POST', '/workflows', workflow(name)), 'id');
    const { status } = await owner('PUT', `/workflows/${id}/transfer`, { destinationProjectId: project });
    expect(status).toBe(200);
    return id;
  };
  const statusesOf = (clients: readonly Rest[], method: string, path: string, body?: unknown): Promise<number[]> =>
    Promise.all(clients.map(async (client) => (await client(method, path, body)).status));

  beforeAll(async () => {
    stack = await borrowStack({ replicas: 2 });
    owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    member = clientsOf(await makeUser(stack, 'project-member', 'editor'));
    stranger = clientsOf(await makeUser(stack, 'project-stranger', 'editor'));
    const users = listOf(await owner('GET', '/users'));
    memberId = String(users.find(({ email }) => email === 'project-member@users.invalid')?.['id']);
    project = textOf(await owner('POST', '/projects', { name: 'shared' }), 'id');
  });
  afterAll(() => giveStackBack(stack));

  it('lets an editor of it change, start and end what it owns, and another editor do none of it', async () => {
    expect((await join('editor')).status).toBe(201);
    const id = await moved('changed together');
    const [one = owner] = member;
    expect(await statusesOf(stranger, 'PUT', `/workflows/${id}`, workflow('theirs'))).toEqual([403, 403]);
    expect(await statusesOf(stranger, 'POST', `/workflows/${id}/execute`, {})).toEqual([403, 403]);
    expect(await statusesOf(member, 'PUT', `/workflows/${id}`, workflow('ours'))).toEqual([200, 200]);
    const run = await one('POST', `/workflows/${id}/execute`, { wait: true });
    expect(run.status).toBeLessThan(300);
    const execution = textOf(run, 'executionId');
    expect(await statusesOf(stranger, 'DELETE', `/executions/${execution}`)).toEqual([403, 403]);
    expect((await one('POST', `/executions/${execution}/retry`, { from: 'start' })).status).toBe(201);
    expect((await one('DELETE', `/executions/${execution}`)).status).toBe(200);
    expect((await one('DELETE', `/workflows/${id}`)).status).toBe(200);
  });

  it('is lost to keys of a member with the first request after the removal, everywhere', async () => {
    const id = await moved('fought over');
    for (let round = 0; round < ROUNDS; round += 1) {
      await join('editor');
      expect(await statusesOf(member, 'POST', `/workflows/${id}/deactivate`)).toEqual([200, 200]);
      await owner('DELETE', `/projects/${project}/members/${memberId}`);
      expect(await statusesOf(member, 'POST', `/workflows/${id}/deactivate`)).toEqual([403, 403]);
      await join('viewer');
      expect(await statusesOf(member, 'POST', `/workflows/${id}/execute`, {})).toEqual([403, 403]);
    }
  });

  it('lends its credential to its own workflows, and not to those of its members', async () => {
    await join('editor');
    const [one = owner] = member;
    const credential = {
      name: 'shared',
      type: 'httpHeaderAuth',
      data: { name: 'x-a', value: 'secret of the project' },
    };
    const credentialId = textOf(await owner('POST', '/credentials', credential), 'id');
    await owner('PUT', `/credentials/${credentialId}/transfer`, { destinationProjectId: project });
    const file: WorkflowFile = {
      ...workflow('uses it'),
      nodes: [
        node('Start', 'manualTrigger', 1, 0),
        {
          ...node('End', 'httpRequest', 4.2, 200, {
            // Refused by the guard, after the credential was read.
            url: 'http://127.0.0.1:1/',
            authentication: 'genericCredentialType',
            genericAuthType: 'httpHeaderAuth',
          }),
          credentials: { httpHeaderAuth: { id: credentialId, name: 'shared' } },
        },
      ],
    };
    const refused = await one('POST', '/workflows', file);
    expect(refused).toMatchObject({ status: 403, json: { error: { details: { reason: 'CREDENTIAL_NOT_GRANTED' } } } });
    const id = textOf(await one('POST', '/workflows', { ...file, projectId: project }), 'id');
    const run = await one('POST', `/workflows/${id}/execute`, { wait: true });
    const { text } = await one('GET', `/executions/${textOf(run, 'executionId')}`);
    for (const part of ['is not granted', 'secret of the project']) expect(text).not.toContain(part);
    const uses = await until('the use is recorded', async () => {
      const found = listOf(await owner('GET', `/audit?action=credential.use&target=${credentialId}`));
      return found.length > 0 && found;
    });
    expect(uses).toMatchObject([{ about: { ownerId: project } }]);
  });

  it.each([
    ['/workflows', (place: string) => workflow(`made${place}`)],
    ['/variables', (place: string) => ({ key: `made${place}`, value: 'v' })],
    ['/data-tables', (place: string) => ({ name: `made${place}`, columns: [] })],
  ])('takes new things below %s from its editors, and lists them alone', async (path, bodyOf) => {
    const [here = owner, there = owner] = member;
    const [strangerHere = owner, strangerThere = owner] = stranger;
    const listed = `${path}?projectId=${project}`;
    await join('editor');
    const before = listOf(await owner('GET', listed)).length;
    const id = textOf(await here('POST', path, { ...bodyOf('Within'), projectId: project }), 'id');
    const beside = textOf(await here('POST', path, bodyOf('Beside')), 'id');
    const found = listOf(await strangerThere('GET', listed));
    expect([found.length, found[0]?.['id']]).toEqual([before + 1, id]);
    expect(listOf(await owner('GET', path)).map((each) => each['id'])).toContain(beside);
    const statuses = [
      await strangerHere('POST', path, { ...bodyOf('No'), projectId: project }),
      await here('POST', path, { ...bodyOf('No'), projectId: '01890000-0000-7000-8000-000000000000' }),
      await owner('POST', path, { ...bodyOf('No'), projectId: '01890000-0000-7000-8000-000000000000' }),
      await owner('GET', `${path}?projectId=nowhere`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 404, 404, 400]);
    expect((await there('DELETE', `${path}/${id}`)).status).toBe(200);
  });

  it('has its credentials managed by its admins, at every gateway until they are no more', async () => {
    const body = { name: 'c', type: 'httpHeaderAuth', data: { name: 'x-a', value: 's3cret' }, projectId: project };
    const theirs = textOf(await owner('POST', '/credentials', { ...body, projectId: undefined }), 'id');
    await join('editor');
    expect(await statusesOf(member, 'POST', '/credentials', body)).toEqual([403, 403]);
    await join('admin');
    expect(await statusesOf(member, 'POST', '/credentials', body)).toEqual([201, 201]);
    expect(await statusesOf(member, 'GET', `/credentials/${theirs}`)).toEqual([403, 403]);
    expect(await statusesOf(stranger, 'POST', '/credentials', body)).toEqual([403, 403]);
    const [one = owner] = member;
    const mine = listOf(await one('GET', '/credentials')).map(({ id }) => String(id));
    expect(mine).not.toContain(theirs);
    expect(mine).toEqual(listOf(await owner('GET', `/credentials?projectId=${project}`)).map(({ id }) => id));
    for (const [index, id] of mine.slice(0, 2).entries())
      expect((await (member[index] ?? one)('DELETE', `/credentials/${id}`)).status).toBe(200);
    await join('viewer');
    expect(await statusesOf(member, 'GET', '/credentials')).toEqual([403, 403]);
  });

  it('goes to another project with all it owns', async () => {
    const heir = textOf(await owner('POST', '/projects', { name: 'heir' }), 'id');
    const refused = await owner('DELETE', `/projects/${project}`);
    expect([refused.status, refused.json.error?.details]).toMatchObject([409, { projectId: project }]);
    expect((await owner('DELETE', `/projects/${project}?transferTo=${heir}`)).status).toBe(200);
    expect(dataOf(await owner('GET', `/projects/${heir}`))['name']).toBe('heir');
    expect((await owner('DELETE', `/projects/${heir}`)).json.error?.details).toMatchObject({ credentials: '1' });
  });
});
