import { until } from '@weft/service-kit/testing';
import { startGateway } from './start-gateway';

describe('stopping the gateway', () => {
  it('lets a request under way finish and takes no new connection', async () => {
    const gateway = await startGateway();
    expect((await gateway.ask('GET', '/livez')).status).toBe(200);
    expect((await gateway.ask('GET', '/readyz')).json).toEqual({ status: 'ok' });
    const release = gateway.workflows.hold('listWorkflows');
    const underWay = gateway.api('GET', '/workflows');
    await until('the request is with the workflows service', () => gateway.workflows.callsOf('listWorkflows').length === 1);
    const stopped = gateway.stopGateway();
    await until('new connections are refused', () => gateway.ask('GET', '/livez').then(() => false, () => true));
    release();
    expect((await underWay).status).toBe(200);
    await stopped;
    await gateway.stopNeighbours();
  });

  it('cuts what does not finish within DRAIN_MS', async () => {
    const gateway = await startGateway({ DRAIN_MS: '100' });
    const release = gateway.workflows.hold('listWorkflows');
    const underWay = gateway.api('GET', '/workflows').then(() => 'answered', () => 'cut');
    await until('the request is with the workflows service', () => gateway.workflows.callsOf('listWorkflows').length === 1);
    await gateway.stopGateway();
    expect(await underWay).toBe('cut');
    release();
    await gateway.stopNeighbours();
  });

  it('says in one sentence that its port is taken', async () => {
    const gateway = await startGateway();
    await expect(startGateway({ PORT: String(gateway.port) })).rejects.toThrow(`Port ${gateway.port} of 127.0.0.1 cannot be listened on`);
    await gateway.stop();
  });
});
