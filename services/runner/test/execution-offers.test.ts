import { decodeExecutionIds, encodeOffer } from '@weft/proto/execution-queue';
import { HeartbeatOutcome, WriteOutcome } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import type { RunningService } from '@weft/service-kit/lifecycle';
import { connectNats, createInbox, type NatsConnection } from '@weft/service-kit/nats';
import { makeTestKeys, testLogger, testNatsUrl, until, type FakePeer } from '@weft/service-kit/testing';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../src/config';
import { createServer } from '../src/server';
import { definitionOf, doubling, FakeExecutions, node, serveExecutions } from './fake-executions';
import { deleteQueues, openQueues, queuesNamed } from './queues';
import { noPools, runnerEnv } from './runner-env';

const keys = makeTestKeys(['runner', 'executions', 'credentials']);
const queue = queuesNamed('OFFERS');
/** NATS error code: the subject has no subscribers. */
const NO_RESPONDERS = 503;
const addressOf = ({ target }: FakePeer): string => target.replace('ipv4:', '');

describe('a runner that is offered inline runs', () => {
  let replica: FakeExecutions;
  let other: FakeExecutions;
  let peers: FakePeer[];
  let nats: NatsConnection;
  let runner: RunningService;
  let sink: Server;
  let sinkUrl = '';
  let requests = 0;
  /** Requests to the outside have responses when this resolves. */
  let opened: Promise<unknown> = Promise.resolve();

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    const values = config.load({
      ...runnerEnv({ keys, queue, executions: `ipv4:${peers.map(addressOf).join(',')}` }),
      OUTBOUND_ALLOW: '127.0.0.1',
      ...env,
    });
    runner = await createServer(values, testLogger(), { openPools: noPools });
  };
  const firstPeer = (): FakePeer => peers[0] ?? { target: '', stop: async () => {} };
  /** Offers executions. @returns the ids that the runner declines, once the others are claimed */
  const offer = async (ids: readonly string[], address = addressOf(firstPeer())) => {
    const claims = (): number =>
      [...replica.claims, ...other.claims].flat().filter((claimed) => ids.includes(claimed)).length;
    const before = claims();
    const inbox = createInbox();
    const send = (): void =>
      nats.publish(queue.offersSubject, encodeOffer({ replica: address, isAwaited: true, ids }), { reply: inbox });
    let refused: readonly string[] | undefined;
    const answers = nats.subscribe(inbox, {
      callback: (_, { headers, data }) => {
        // The runner does not listen yet.
        if (headers?.code === NO_RESPONDERS) setTimeout(send, 10);
        else refused = decodeExecutionIds(data);
      },
    });
    send();
    await until('a runner claims or refuses them', () => refused !== undefined || claims() - before >= ids.length);
    answers.unsubscribe();
    return { refused: refused ?? [] };
  };
  const calling = (): object =>
    definitionOf([
      node('Start', 'manualTrigger', 1, {}),
      node('Call', 'httpRequest', 4.2, { method: 'GET', url: sinkUrl, options: {} }),
    ]);

  beforeAll(async () => {
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queue);
    sink = createHttpServer((_, response) => {
      requests += 1;
      void opened.then(() => response.end('{}'));
    });
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
  });
  beforeEach(async () => {
    requests = 0;
    opened = Promise.resolve();
    replica = new FakeExecutions();
    replica.firstLeaseMs = 3_000;
    other = new FakeExecutions();
    peers = [await serveExecutions(replica, keys.publicKeys), await serveExecutions(other, keys.publicKeys)];
  });
  afterEach(async () => {
    await runner.stop();
    for (const peer of peers) await peer.stop();
  });
  afterAll(async () => {
    sink.close();
    await deleteQueues(nats, queue);
    await nats.close();
  });

  it('claims them where they were offered, and ends runs without side effects there', async () => {
    await start();
    const id = replica.add(doubling);
    expect(await offer([id])).toEqual({ refused: [] });
    const [report] = await until('the report', () => replica.reports.length > 0 && replica.reports);
    expect(report).toMatchObject({ executionId: id, lastNode: 'Set' });
    expect([replica.persisted, other.claims, other.reports]).toEqual([[], [], []]);
  });

  it('has an execution stored before a node sends a request', async () => {
    await start();
    const id = replica.add(calling());
    await offer([id]);
    await until('the end', () => other.reports.length + replica.reports.length > 0);
    expect([replica.persisted, requests]).toEqual([[id], 1]);
  });

  it.each([
    ['stored for it', {}],
    ['stored with its claim', { stored: true }],
  ])('continues a request of an execution that was %s, while its short lease is not renewed', async (_, carried) => {
    await start();
    replica.firstLeaseMs = 300;
    replica.carried = carried;
    replica.heartbeat = other.heartbeat = HeartbeatOutcome.HEARTBEAT_OUTCOME_UNKNOWN;
    opened = sleep(1_500);
    const id = replica.add(calling());
    await offer([id]);
    const [report] = await until('the report', () => {
      const reports = [...replica.reports, ...other.reports];
      return reports.length > 0 && reports;
    });
    expect(report).toMatchObject({ executionId: id, lastNode: 'Call' });
    expect([requests, replica.released, other.released]).toEqual([1, [], []]);
  });

  it('has an execution stored before it reads variables, which may differ when it restarts', async () => {
    await start();
    replica.persistOutcome = WriteOutcome.WRITE_OUTCOME_FENCED;
    const naming = definitionOf([
      node('Start', 'manualTrigger', 1, {}),
      node('Set', 'set', 3.4, { mode: 'raw', jsonOutput: '={{ { a: $vars.a } }}', options: {} }),
    ]);
    const id = replica.add(naming);
    await offer([id]);
    await until('it is asked', () => replica.persisted.length > 0);
    expect([replica.persisted, replica.reports]).toEqual([[id], []]);
  });

  it('sends no requests for an execution that it has lost', async () => {
    await start();
    replica.persistOutcome = WriteOutcome.WRITE_OUTCOME_FENCED;
    const id = replica.add(calling());
    await offer([id]);
    await until('it is asked', () => replica.persisted.length > 0);
    const next = replica.add(doubling);
    await offer([next]);
    await until('the next one ends', () => replica.reports.length > 0);
    expect([requests, replica.reports.map(({ executionId }) => executionId)]).toEqual([0, [next]]);
  });

  it('releases executions that no replica knew, which may be stored by now, without a crash', async () => {
    await start();
    replica.persistOutcome = WriteOutcome.WRITE_OUTCOME_FENCED;
    const id = replica.add(calling());
    await offer([id]);
    const [release] = await until('the release', () => replica.released.length > 0 && replica.released);
    expect(release).toMatchObject({ executionId: id, fence: 1 });
  });

  it('continues an execution that a heartbeat reports as unknown, as long as it can be stored', async () => {
    await start();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    opened = promise;
    for (const each of [replica, other]) each.heartbeat = HeartbeatOutcome.HEARTBEAT_OUTCOME_LOST;
    const id = replica.add(calling());
    await offer([id]);
    await until('a heartbeat asks about it', () => [...replica.asked, ...other.asked].includes(id));
    await until('its barrier is asked again', () => replica.persisted.length + other.persisted.length > 1);
    resolve(undefined);
    await until('the end', () => other.reports.length + replica.reports.length > 0);
    expect(requests).toBe(1);
  });

  it('drops offers of a replica that died, unless another one knows the executions', async () => {
    await start({ RUNNER_SLOTS: '1' });
    await peers[0]?.stop();
    const lost = uuidv7();
    expect(await offer([lost])).toEqual({ refused: [] });
    await until('the other replica is asked', () => other.claims.some((ids) => ids.includes(lost)));
    await until('the slot is free again', async () => (await offer([lost])).refused.length === 0);
    expect(other.reports).toEqual([]);
  });

  it('refuses an offer from an address outside the service, and does not connect to it', async () => {
    await start();
    const id = replica.add(doubling);
    expect(await offer([id], `127.0.0.1:${(sink.address() as AddressInfo).port}`)).toEqual({ refused: [id] });
    expect([replica.claims, requests]).toEqual([[], 0]);
  });

  it('reports the owner whose executions use many of its slots when nearly all are used', async () => {
    await start({ RUNNER_SLOTS: '4' });
    const told: string[] = [];
    nats.subscribe(queue.saturatingSubject, { callback: (_, { data }) => told.push(Buffer.from(data).toString()) });
    await nats.flush();
    opened = new Promise(() => undefined);
    replica.carried = { ownerId: 'many' };
    await offer([replica.add(calling()), replica.add(calling()), replica.add(calling())]);
    await until('they call', () => requests === 3);
    expect(told).toEqual([]);
    await offer([replica.add(calling())]);
    await until('it is told', () => told.length > 0);
    expect(told[0]).toBe('many');
  });

  it('responds with only the ids that it declines: the claims confirm the others', async () => {
    await start();
    await offer([replica.add(doubling)]);
    const answers: string[][] = [];
    const inbox = createInbox();
    nats.subscribe(inbox, { callback: (_, { data }) => answers.push(decodeExecutionIds(data)) });
    const send = (address: string, id: string): void => {
      const payload = encodeOffer({ replica: address, isAwaited: true, ids: [id] });
      nats.publish(queue.offersSubject, payload, { reply: inbox });
    };
    const taken = replica.add(doubling);
    send(addressOf(firstPeer()), taken);
    await until('it ends', () => replica.reports.some(({ executionId }) => executionId === taken));
    const refused = replica.add(doubling);
    send('192.0.2.1:7002', refused);
    await until('the other one is answered', () => answers.length > 0);
    expect(answers).toEqual([[refused]]);
  });

  it('waits where executions were offered, and runs later ones without another message', async () => {
    await peers[0]?.stop();
    peers[0] = await serveExecutions(replica, keys.publicKeys, true);
    await start();
    await offer([replica.add(doubling)]);
    await until('a claim waits', () => replica.waiting.length > 0);
    const ids = [replica.add(doubling), replica.add(calling())];
    replica.offered.push(...ids);
    await until('both end', () => replica.reports.length + other.reports.length === 3);
    expect(replica.persisted).toEqual(ids.slice(1));
    await until('no claim waits where nothing is offered', async () => {
      const { length } = replica.waiting;
      await sleep(700);
      return replica.waiting.length === length;
    });
    const { length } = replica.waiting;
    await offer([replica.add(doubling)]);
    await until('a claim waits again', () => replica.waiting.length > length);
  });

  it('accepts offers by message from a replica where no claim can wait', async () => {
    await start();
    for (let count = 1; count <= 3; count += 1) {
      expect(await offer([replica.add(doubling)])).toEqual({ refused: [] });
      await until('the end', () => replica.reports.length === count);
    }
    expect(replica.claims).toHaveLength(3);
  });

  it('accepts as many as it has slots, and declines the others', async () => {
    await start({ RUNNER_SLOTS: '1' });
    const ids = [replica.add(calling()), replica.add(calling())];
    expect(await offer(ids)).toEqual({ refused: ids.slice(1) });
  });
});
