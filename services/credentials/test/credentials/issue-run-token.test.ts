import { ExecutionServiceService } from '@weft/proto/executions';
import { ApiKeyServiceService, UserServiceService } from '@weft/proto/identity';
import { WorkflowServiceService } from '@weft/proto/workflows';
import { createTokenVerifier } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { DELEGATED_METHODS } from '../../src/handlers/access';
import { startService, type TestService } from '../support/service-under-test';

const { path: GET_WORKFLOW } = WorkflowServiceService.getWorkflow;

describe('IssueRunToken', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const grant = (ownerId = service.owner.userId, over: { nodeKind?: string } = { nodeKind: 'n8n' }) => {
    const run = { executionId: uuidv7(), fence: 3, node: 'Instance' };
    service.executions.grant({ ...run, credentialId: '', ...over }, ownerId);
    return run;
  };
  const issue = (request: { executionId: string; fence: number; node: string; method?: string }, as = 'runner') =>
    service.as(as).credentials.issueRunToken({ method: GET_WORKFLOW, ...request });

  it("signs for the owner of the workflow, with the owner's current role, for one method", async () => {
    const editor = await service.addUser('editor');
    const { token } = await issue(grant(editor.userId));
    const verify = createTokenVerifier('workflows', service.publicKeys);
    expect(verify(token, GET_WORKFLOW)).toEqual({
      service: 'credentials',
      principal: { userId: editor.userId, role: 'editor', inRun: true },
    });
    expect(() => verify(token, WorkflowServiceService.deleteWorkflow.path)).toThrow();
    expect(() => createTokenVerifier('executions', service.publicKeys)(token, GET_WORKFLOW)).toThrow();
  });

  it.each([
    ['another execution', { executionId: uuidv7() }],
    ['a string that is not an execution', { executionId: 'x'.repeat(1_000) }],
    ['an older fence', { fence: 2 }],
    ['another node', { node: 'HTTP Request' }],
  ])('refuses %s', async (_, difference) => {
    await expect(issue({ ...grant(), ...difference })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('refuses a node of another kind', async () => {
    await expect(issue(grant(service.owner.userId, {}))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it.each([
    ['API keys', ApiKeyServiceService.createApiKey.path],
    ['roles', UserServiceService.changeUserRole.path],
    ['starts', ExecutionServiceService.startExecution.path],
    ['nothing', ''],
  ])('signs nothing for methods about %s, even for the owner of the instance', async (_, method) => {
    await expect(issue({ ...grant(), method })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('does not let nodes manage users or keys', () => {
    expect(
      [...DELEGATED_METHODS.keys()].filter((path) => !/\.(Workflow|Execution|Credential)Service\//.test(path)),
    ).toEqual([]);
    expect([...DELEGATED_METHODS.keys()].filter((path) => /Use|Issue|Verify|Start|Resume|Check/.test(path))).toEqual(
      [],
    );
  });

  it('is refused for an owner who is locked or deleted', async () => {
    const editor = await service.addUser('editor');
    const run = grant(editor.userId);
    await issue(run);
    await service.as('gateway').users.lockUser({ userId: editor.userId }, { principal: service.owner });
    await expect(issue(run)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(issue(grant(uuidv7()))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it.each(['gateway', 'workflows', 'executions'])('refuses the %s service', async (name) => {
    await expect(issue(grant(), name)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('audits once for each node of an execution', async () => {
    const run = grant();
    await Promise.all([issue(run), issue(run), issue(run)]);
    const records = await service.database.connection
      .collection('audit')
      .find({ action: 'run.act', 'about.executionId': run.executionId })
      .toArray();
    expect(records).toMatchObject([
      { actor: 'service:runner', about: { ownerId: service.owner.userId, node: 'Instance' } },
    ]);
  });
});
