import type { ExecutionStart } from '@weft/proto/executions';
import { closeAfterEach, makeTestKeys, startFakePeer, until } from '@weft/service-kit/testing';
import { createExecutionsClient } from '../../src/clients/executions';
import { fakeExecutions } from '../peers/executions';

const MB = 1_000_000;

describe('starts waiting in the gateway', () => {
  const later = closeAfterEach();

  it('hold a limited number of bytes in total: further ones are refused until there is room again', async () => {
    const keys = makeTestKeys(['gateway']);
    const executions = fakeExecutions();
    const services = [executions.bound];
    const peer = later(await startFakePeer({ name: 'executions', publicKeys: keys.publicKeys, services }), ({ stop }) =>
      stop(),
    );
    const peerOptions = { target: peer.target, sign: keys.signerOf('gateway') };
    const client = later(createExecutionsClient(peerOptions), ({ close }) => close());
    const start = (megabytes: number) =>
      client.start({
        workflowId: 'w1',
        input: Buffer.alloc(megabytes * MB),
        startNode: '',
        idempotencyKey: '',
        wait: 0,
        waitMs: 0,
        usePinData: false,
        mode: 0,
        versionId: '',
        ownerId: '',
      } satisfies ExecutionStart);
    const release = executions.hold('startExecutions');
    const held = Array.from({ length: 6 }, () => start(10));
    await until('they are with the executions service', () => executions.callsOf('startExecutions').length > 0);
    await expect(start(5)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    release();
    expect(await Promise.all(held)).toHaveLength(6);
    expect(await start(5)).toMatchObject({ existing: false });
  });
});
