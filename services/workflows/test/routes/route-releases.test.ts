import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { testMongodbUri } from '@weft/service-kit/testing';
import { createWorkflowStore } from '../../src/store/workflows/workflow-store';
import { webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('ListRouteReleases', () => {
  let service: TestService;
  let database: Database;
  beforeAll(async () => {
    service = await startService();
    database = await connectDatabase(testMongodbUri(), service.database);
  });
  afterAll(async () => {
    await database.close();
    await service.stop();
  });
  const owner = uuidv7();
  const editor = () => service.as(owner, 'editor');
  const create = async (path: string): Promise<string> =>
    (await service.gateway.createWorkflow(workflowOf([webhook(path)], { active: true }), editor())).workflow?.id ?? '';
  const releaseOf = async (id: string, calls = service.gateway): Promise<string | undefined> =>
    (await calls.listRouteReleases({})).releases.find(({ workflowId }) => workflowId === id)?.release;
  const resolved = async (path: string) =>
    (await service.gateway.resolveWebhooks({ addresses: [{ method: 'POST', path }] })).webhooks[0];
  const deactivate = (workflowId: string) => service.gateway.deactivateWorkflow({ workflowId, ifEtags: [] }, editor());

  it('lists a replacement, whose result names the release', async () => {
    const id = await create('releases-a');
    expect(await releaseOf(id)).toBeUndefined();
    expect((await resolved('releases-a'))?.release).toBe('');
    const replace = () =>
      service.gateway.replaceWorkflow(
        { ...workflowOf([webhook('releases-a')]), workflowId: id, ifVersionId: '', ifEtags: [] },
        editor(),
      );
    await replace();
    const first = await releaseOf(id);
    expect(first).toBeDefined();
    expect((await resolved('releases-a'))?.release).toBe(first);
    await replace();
    expect(await releaseOf(id)).not.toBe(first);
  });

  it('lists deactivations and deletions on every replica, also if the process that stored them died', async () => {
    const [deactivated, removed, orphaned] = await Promise.all(['b', 'c', 'd'].map((n) => create(`releases-${n}`)));
    await deactivate(deactivated ?? '');
    await service.gateway.deleteWorkflow({ workflowId: removed ?? '', ifEtags: [] }, editor());
    // As stored by a change that was never answered.
    const store = createWorkflowStore(database.connection);
    const seen = await store.find(orphaned ?? '');
    if (seen === undefined) throw new Error('no workflow');
    const { activation: _, ...inactive } = seen;
    await store.update(seen, { ...inactive, active: false, routesRelease: uuidv7() });
    const replica = await service.addReplica();
    for (const id of [deactivated, removed, orphaned]) expect(await releaseOf(id ?? '', replica)).toBeDefined();
    // A repeated deactivation changes nothing, and is answered after the leases anyway.
    const sentAt = performance.now();
    await deactivate(orphaned ?? '');
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(249);
  });

  it('lists a change of owner, of one workflow and of all', async () => {
    const id = await create('releases-e');
    const [one, all] = [uuidv7(), uuidv7()];
    await service.ownership.transferOne({
      thing: { $case: 'workflowId', value: id },
      toOwnerId: one,
      userId: owner,
      role: 'editor',
      projectIds: [],
    });
    const first = await releaseOf(id);
    expect(await resolved('releases-e')).toMatchObject({ ownerId: one, release: first });
    await service.ownership.transferOwnership({ fromOwnerId: one, toOwnerId: all });
    // An inherited workflow is inactive.
    expect(await resolved('releases-e')).toMatchObject({ found: false });
    const second = await releaseOf(id);
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
  });

  it('lists many changes at once', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => create(`releases-many-${n}`)));
    const states = await Promise.all(
      ids.map(async (id) => {
        await deactivate(id);
        return releaseOf(id);
      }),
    );
    expect(states).not.toContain(undefined);
    expect(new Set(states).size).toBe(50);
  });

  it('ends a release only if the workflow has had none since', async () => {
    const id = await create('releases-f');
    await deactivate(id);
    const store = createWorkflowStore(database.connection);
    await store.endReleases([uuidv7()]);
    const release = await releaseOf(id);
    expect(release).toBeDefined();
    await store.endReleases([release ?? '']);
    expect(await releaseOf(id)).toBeUndefined();
    expect(await store.find(id)).not.toHaveProperty('routesRelease');
  });

  it('is allowed only to the gateway itself', async () => {
    await expect(service.fromRunner.listRouteReleases({})).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(service.gateway.listRouteReleases({}, editor())).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
