import { uuidv7 } from '@weft/service-kit/ids';
import { node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('GetWorkflow', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const stored = async () =>
    (
      await service.gateway.createWorkflow(
        workflowOf([node('Start', 'manualTrigger'), webhook(`get-${uuidv7()}`), node('Set', 'set')]),
        service.as('u1', 'editor'),
      )
    ).workflow;

  it('returns the whole workflow to any user who may read', async () => {
    const workflow = await stored();
    expect(
      await service.gateway.getWorkflow({ workflowId: workflow?.id ?? '', knownEtags: [] }, service.as('u2', 'viewer')),
    ).toEqual({
      workflow,
      notModified: false,
    });
  });

  it('returns it to the executions service, and to no other service', async () => {
    const workflow = await stored();
    const request = { workflowId: workflow?.id ?? '', knownEtags: [] };
    expect(await service.fromExecutions.getWorkflow(request)).toEqual({ workflow, notModified: false });
    await expect(service.fromRunner.getWorkflow(request)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(service.gateway.getWorkflow(request)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('omits the definition exactly while the caller has the current etag', async () => {
    const workflow = await stored();
    const workflowId = workflow?.id ?? '';
    const ask = (...knownEtags: string[]) =>
      service.gateway.getWorkflow({ workflowId, knownEtags }, service.as('u2', 'viewer'));
    const etag = workflow?.etag ?? '';
    const unchanged = { workflow: { ...workflow, definition: Buffer.alloc(0) }, notModified: true };
    const answers = await Promise.all([ask('other', etag), ask('other'), ask(etag)]);
    expect(answers).toEqual([unchanged, { workflow, notModified: false }, unchanged]);
    const etags = [etag];
    for (const change of ['activateWorkflow', 'deactivateWorkflow', 'activateWorkflow'] as const) {
      const { workflow: changed } = await service.gateway[change](
        { workflowId, ifEtags: [] },
        service.as('u1', 'editor'),
      );
      expect(await ask(...etags)).toEqual({ workflow: changed, notModified: false });
      etags.push(changed?.etag ?? '');
    }
    expect(new Set(etags).size).toBe(4);
  });

  it('answers each of many concurrent calls with its own workflow', async () => {
    const workflows = await Promise.all(Array.from({ length: 30 }, stored));
    const answers = await Promise.allSettled(
      [...workflows, { id: uuidv7() }].map((workflow) =>
        service.gateway.getWorkflow({ workflowId: workflow?.id ?? '', knownEtags: [] }, service.as('u2', 'viewer')),
      ),
    );
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.workflow : undefined))).toEqual([
      ...workflows,
      undefined,
    ]);
  });

  it.each([uuidv7(), 'no-uuid', '', 'x'.repeat(10_000)])('names an unknown id (%#)', async (workflowId) => {
    await expect(
      service.gateway.getWorkflow({ workflowId, knownEtags: [] }, service.as('u2', 'viewer')),
    ).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_FOUND',
      kind: 'not-found',
      details: { workflowId: workflowId.slice(0, 100) },
    });
  });
});
