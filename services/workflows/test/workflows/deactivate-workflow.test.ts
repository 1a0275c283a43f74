import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('DeactivateWorkflow', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const create = async (path: string): Promise<string> =>
    (await service.gateway.createWorkflow(workflowOf([webhook(path)], { active: true }), editor())).workflow?.id ?? '';
  const deactivate = (workflowId: string, user = editor()) =>
    service.gateway.deactivateWorkflow({ workflowId, ifEtags: [] }, user);

  it('releases the addresses at once', async () => {
    const id = await create('deactivate-a');
    const { workflow } = await deactivate(id);
    expect(workflow).toMatchObject({ id, active: false });
    expect(
      (await service.gateway.resolveWebhooks({ addresses: [{ method: 'POST', path: 'deactivate-a' }] })).webhooks,
    ).toMatchObject([{ found: false }]);
    await create('deactivate-a');
    await expect(service.gateway.activateWorkflow({ workflowId: id, ifEtags: [] }, editor())).rejects.toMatchObject({
      reason: 'WEBHOOK_PATH_TAKEN',
    });
  });

  it('changes nothing when repeated', async () => {
    const id = await create('deactivate-b');
    const first = await deactivate(id);
    expect(await deactivate(id)).toEqual(first);
  });

  it('responds once the leases of its addresses have ended, even if another one came first', async () => {
    const id = await create('deactivate-leases');
    let leasedUntil = 0;
    let isOver = false;
    const ask = async (): Promise<void> => {
      while (!isOver) {
        const sentAt = performance.now();
        const addresses = [{ method: 'POST', path: 'deactivate-leases' }];
        const [route] = (await service.gateway.resolveWebhooks({ addresses })).webhooks;
        if (route?.found !== true) return;
        expect(route.leaseMs).toBeGreaterThan(0);
        leasedUntil = Math.max(leasedUntil, sentAt + route.leaseMs);
        const listedAt = performance.now();
        const { releases } = await service.gateway.listRouteReleases({});
        if (releases.some(({ workflowId }) => workflowId === id)) return;
        leasedUntil = Math.max(leasedUntil, listedAt + route.leaseMs);
      }
    };
    const answered = async (): Promise<number> => {
      await deactivate(id);
      return performance.now();
    };
    const asking = ask();
    await until('the first lease', () => leasedUntil > 0);
    const answers = await Promise.all([answered(), answered(), answered()]);
    isOver = true;
    await asking;
    for (const at of answers) expect(at).toBeGreaterThanOrEqual(leasedUntil);
  });

  it('is consistent with the store when it races with activations', async () => {
    const id = await create('deactivate-race');
    await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        n % 2 === 0 ? deactivate(id) : service.gateway.activateWorkflow({ workflowId: id, ifEtags: [] }, editor()),
      ),
    );
    const { workflow } = await service.gateway.getWorkflow({ workflowId: id, knownEtags: [] }, editor());
    const {
      webhooks: [webhookNow],
    } = await service.gateway.resolveWebhooks({ addresses: [{ method: 'POST', path: 'deactivate-race' }] });
    expect(webhookNow?.found).toBe(workflow?.active);
  });

  it('is allowed to the owner of the workflow and to administrators', async () => {
    const id = await create('deactivate-c');
    await expect(deactivate(id, service.as('u2', 'editor'))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(deactivate(uuidv7())).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
    expect((await deactivate(id, service.as('u2', 'admin'))).workflow?.active).toBe(false);
  });
});
