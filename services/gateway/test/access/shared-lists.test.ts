import { until } from '@weft/service-kit/testing';
import { executionOf } from '../peers/executions';
import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('equal requests for a list', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const reads = () => gateway.executions.callsOf('listExecutions');

  it('share reads that begin after they arrived, each with the complete response', async () => {
    gateway.executions.stored.set('e1', executionOf('e1'));
    const letGo = gateway.executions.hold('listExecutions');
    const early = [1, 2].map(() => gateway.api('GET', '/executions'));
    await until('reads are under way', () => reads().length > 0);
    const late = Array.from({ length: 20 }, () => gateway.api('GET', '/executions'));
    await until('all requests are verified', () => gateway.identity.window.used === 22);
    gateway.executions.stored.set('e2', executionOf('e2'));
    letGo();
    for (const { json } of await Promise.all([...early, ...late]))
      expect(json).toMatchObject({ data: [{ id: 'e1' }, { id: 'e2' }], nextCursor: null });
    expect(reads().length).toBeLessThan(11);
  });

  it('share nothing with another user, or with another filter or page', async () => {
    const letGo = gateway.executions.hold('listExecutions');
    const answers = [
      gateway.api('GET', '/executions'),
      gateway.api('GET', '/executions', { key: KEYS.viewer }),
      gateway.api('GET', '/executions?status=error'),
      gateway.api('GET', '/executions?limit=5'),
    ];
    await until('each has its read', () => reads().length === 4);
    letGo();
    await Promise.all(answers);
    expect(new Set(reads().map(({ userId, request }) => JSON.stringify([userId, request]))).size).toBe(4);
  });
});
