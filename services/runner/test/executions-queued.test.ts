import { STATE_VERSIONS } from '@weft/engine';
import { decodeExecutionIds, encodeExecutionIds } from '@weft/proto/execution-queue';
import { EndState, HeartbeatOutcome } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import type { RunningService } from '@weft/service-kit/lifecycle';
import { connectNats, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { makeTestKeys, testLogger, testNatsUrl, until, type FakePeer } from '@weft/service-kit/testing';
import { createHash } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { config } from '../src/config';
import { createServer } from '../src/server';
import { definitionOf, doubling, FakeExecutions, node, serveExecutions } from './fake-executions';
import { deleteQueues, openQueues, queuesNamed } from './queues';
import { noPools, runnerEnv } from './runner-env';

const keys = makeTestKeys(['runner', 'executions', 'credentials']);
const queue = queuesNamed('RUNNER');

describe('a runner', () => {
  let executions: FakeExecutions;
  let peer: FakePeer;
  let nats: NatsConnection;
  let runner: RunningService | undefined;
  let slow: Server;
  let slowUrl = '';
  let slowRequests = 0;
  let slowEnded = 0;

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    const values = config.load({
      ...runnerEnv({ keys, queue, executions: peer.target }),
      OUTBOUND_ALLOW: '127.0.0.1',
      ...env,
    });
    runner = await createServer(values, testLogger(), { openPools: noPools });
  };
  const announce = (...ids: string[]) =>
    publishToQueue(nats, queue, encodeExecutionIds(ids), `${ids[0]}:${Math.random()}`);

  beforeAll(async () => {
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queue);
    // Never responds: a node that calls it stays in the middle of its work until it is stopped.
    slow = createHttpServer((_, response) => {
      slowRequests += 1;
      response.once('close', () => {
        slowEnded += 1;
      });
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    slowUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
  });
  beforeEach(async () => {
    [slowRequests, slowEnded] = [0, 0];
    executions = new FakeExecutions();
    peer = await serveExecutions(executions, keys.publicKeys);
  });
  afterEach(async () => {
    await runner?.stop();
    runner = undefined;
    await peer.stop();
  });
  afterAll(async () => {
    slow.closeAllConnections();
    slow.close();
    await deleteQueues(nats, queue);
    await nats.close();
  });

  it('claims queued executions, runs them and reports their node runs', async () => {
    await start();
    const id = executions.add(doubling);
    await announce(id);
    const [report] = await until('the report', () => executions.reports.length > 0 && executions.reports);
    expect(report).toMatchObject({ executionId: id, fence: 1, endState: EndState.END_STATE_SUCCESS, lastNode: 'Set' });
    const record: { data: { main: { json: unknown }[][] } } = JSON.parse(
      Buffer.from(report?.nodeRuns.find((run) => run.node === 'Set')?.recordJson ?? '').toString('utf8'),
    );
    expect(record.data.main[0]?.[0]?.json).toEqual({ n: 40 });
  });

  it('sends the progress of a run that is followed, and notifies its followers', async () => {
    executions.leaseMs = 6_000;
    await start();
    const progressed: string[] = [];
    nats.subscribe(queue.progressedSubject, {
      callback: (_, { data }) => progressed.push(...decodeExecutionIds(data)),
    });
    await nats.flush();
    const calls = definitionOf([
      node('Start', 'manualTrigger', 1, {}),
      node('Call', 'httpRequest', 4.2, { method: 'GET', url: slowUrl, options: {} }),
    ]);
    const [quiet, id] = [executions.add(calls), executions.add(calls)];
    await announce(quiet, id);
    await until('both nodes run', () => slowRequests === 2);
    nats.publish(queue.followedSubject, encodeExecutionIds([id]));
    const progress = await until('its progress', () => executions.progress.at(-1));
    expect(progress.running).toMatchObject({ node: 'Call', run: 0 });
    expect(progress.notStored.map(({ node: name, executionIndex }) => [name, executionIndex])).toEqual([['Start', 0]]);
    expect(progress.notStored[0]?.facts).toMatchObject({ outputItems: [1], errorMessage: '' });
    await until('its followers are notified', () => progressed.includes(id));
    expect(progressed).not.toContain(quiet);
    // Nothing changes, so nothing more is sent until it is not followed any more.
    await until('it is withdrawn', () => executions.progress.length > 1, 60_000);
    expect(executions.progress.slice(1)).toEqual([{ notStored: [] }]);
    executions.heartbeat = HeartbeatOutcome.HEARTBEAT_OUTCOME_CANCELLED;
    nats.publish(queue.stoppedSubject, encodeExecutionIds([id, quiet]));
    await until('both are stopped', () => slowEnded === 2);
  });

  it('releases a run whose state has an unknown version, and runs the others of its claim', async () => {
    await start();
    const [unknown, healthy] = [executions.add(doubling), executions.add(doubling)];
    executions.carriedOf.set(unknown, { checkpoint: 3, engineState: Buffer.from('{"version":99}') });
    await announce(unknown, healthy);
    const [released] = await until('the release', () => executions.released.length > 0 && executions.released);
    // Its progress is unchanged.
    expect(released).toMatchObject({ executionId: unknown, fence: 1, checkpoint: 3, nodeRuns: [] });
    expect(released?.engineState).toHaveLength(0);
    expect(released?.delayMs).toBeGreaterThan(0);
    const [report] = await until('the report', () => executions.reports.length > 0 && executions.reports);
    expect(report).toMatchObject({ executionId: healthy, endState: EndState.END_STATE_SUCCESS });
    expect(executions.reports).toHaveLength(1);
  });

  it('leaves executions for other releases in the queue, and waits before it asks for them again', async () => {
    await start();
    const [unknown, healthy] = [executions.add(doubling), executions.add(doubling)];
    executions.unreadableIds.add(unknown);
    await announce(unknown);
    await until('the claim', () => executions.claims.some((ids) => ids.includes(unknown)));
    await announce(healthy);
    await until('the report of the other', () => executions.reports.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(executions.claims.flat().filter((id) => id === unknown)).toHaveLength(1);
    expect(executions.claimedVersions.at(-1)).toEqual({ readable: [...STATE_VERSIONS.read] });
    // It was not acknowledged, so it is redelivered.
    await until(
      'it is delivered again',
      () => executions.claims.flat().filter((id) => id === unknown).length > 1,
      15_000,
    );
  });

  it('pauses a run that shows a page, and redirects the waiting browser to the page', async () => {
    await start();
    const id = executions.add(
      definitionOf([
        node('Start', 'formTrigger', 2.2, { formTitle: 'One', options: { path: 'p' } }),
        node('Page', 'form', 1, { formFields: { values: [{ fieldLabel: 'Age', fieldType: 'number' }] } }),
      ]),
    );
    executions.carried = {
      mode: 3,
      input: Buffer.from('[{"json":{"submittedAt":"2026-01-01T00:00:00.000Z","query":{},"body":{"Name":"Ada"}}}]'),
    };
    await announce(id);
    const [wait] = await until('the wait', () => executions.waits.length > 0 && executions.waits);
    const told: { kind: string; token: string } = JSON.parse(wait?.response?.body.toString() ?? '{}');
    expect(wait?.response?.headers).toContainEqual({ name: 'content-type', value: 'application/vnd.weft.form+json' });
    expect([told.kind, createHash('sha256').update(told.token).digest('hex')]).toEqual(['page', wait?.resumeTokenHash]);
    expect(wait?.resumeSettings?.channel).toMatchObject({
      $case: 'form',
      value: { leadsOn: true, page: { title: 'One', fields: [{ name: 'Age', type: 'number' }] } },
    });
  });

  it('continues where another runner stopped, with records that are too large for a message', async () => {
    await start();
    const state = {
      version: 1,
      executionIndex: 1,
      ready: [{ node: 'Set', sources: [{ previousNode: 'Start' }] }],
      waiting: [],
      memories: {},
      lastNode: 'Start',
    };
    executions.carried = { checkpoint: 1, engineState: Buffer.from(JSON.stringify(state)) };
    executions.chunk = JSON.stringify({
      startTime: 1,
      executionTime: 1,
      executionIndex: 0,
      source: [],
      hints: [],
      executionStatus: 'success',
      data: { main: [[{ json: { n: 30 } }]] },
    });
    const id = executions.add(doubling);
    await announce(id);
    const [report] = await until('the report', () => executions.reports.length > 0 && executions.reports);
    expect(report?.nodeRuns.map((run) => run.node)).toEqual(['Set']);
    expect(Buffer.from(report?.nodeRuns[0]?.recordJson ?? '').toString('utf8')).toContain('"n":60');
  });

  it('continues a failed run from its state, and reports the state from which its retry would continue', async () => {
    await start();
    const state = {
      version: 1,
      executionIndex: 1,
      ready: [{ node: 'Stop', sources: [{ previousNode: 'Start' }], waited: true, since: 1 }],
      waiting: [],
      memories: {},
      lastNode: 'Start',
    };
    executions.carried = { mode: 6, retriedMode: 3, checkpoint: 0, engineState: Buffer.from(JSON.stringify(state)) };
    executions.chunk = JSON.stringify({
      startTime: 1,
      executionTime: 1,
      executionIndex: 0,
      source: [],
      hints: [],
      executionStatus: 'success',
      data: { main: [[{ json: { n: 30 } }]] },
    });
    const id = executions.add(
      definitionOf([
        node('Start', 'manualTrigger', 1, {}),
        node('Stop', 'stopAndError', 1, { errorMessage: '={{ $mode }} {{ $json.n }}' }),
      ]),
    );
    await announce(id);
    const [report] = await until('the report', () => executions.reports.length > 0 && executions.reports);
    expect(report).toMatchObject({
      endState: EndState.END_STATE_ERROR,
      error: { message: 'webhook 30' },
      engineStateRuns: 1,
    });
    expect(report?.nodeRuns.map((run) => run.node)).toEqual(['Stop']);
    expect(JSON.parse(Buffer.from(report?.engineState ?? '').toString('utf8'))).toMatchObject({
      executionIndex: 1,
      lastNode: 'Start',
      ready: [{ node: 'Stop', sources: [{ previousNode: 'Start' }] }],
    });
  });

  it('drops refused executions without running them', async () => {
    await start();
    const unknown = uuidv7();
    await announce(unknown);
    await until('the claim', () => executions.claims.some((ids) => ids.includes(unknown)));
    const id = executions.add(doubling);
    await announce(id);
    await until('the report of the other one', () => executions.reports.length > 0);
    expect(executions.reports.map((report) => report.executionId)).toEqual([id]);
  });

  it('processes a message again when the service was unavailable', async () => {
    executions.isDown = true;
    await start();
    const id = executions.add(doubling);
    await announce(id);
    await until('a refused claim', () => executions.refused > 0);
    executions.isDown = false;
    await until('the report', () => executions.reports.some((report) => report.executionId === id), 15_000);
  });

  it('leaves a share of its slots to others when the runs of an owner with many use all they can', async () => {
    await start({ RUNNER_SLOTS: '4' });
    const call = definitionOf([
      node('Start', 'manualTrigger', 1, {}),
      node('Call', 'httpRequest', 4.2, { url: slowUrl, options: {} }),
    ]);
    for (let n = 0; n < 6; n += 1) {
      const id = executions.add(call);
      await publishToQueue(nats, { ...queue.overflow, replicas: 1 }, encodeExecutionIds([id]), id);
    }
    await until('three of them run', () => slowRequests === 3);
    const id = executions.add(doubling);
    await announce(id);
    await until('the report', () => executions.reports.some((report) => report.executionId === id));
    expect(slowRequests).toBe(3);
  });

  it('drops a run that it no longer holds, and reports nothing about it', async () => {
    executions.leaseMs = 600;
    await start();
    const id = executions.add(
      definitionOf([
        node('Start', 'manualTrigger', 1, {}),
        node('Call', 'httpRequest', 4.2, { url: slowUrl, options: {} }),
      ]),
    );
    await announce(id);
    await until('the request', () => slowRequests > 0);
    executions.heartbeat = HeartbeatOutcome.HEARTBEAT_OUTCOME_LOST;
    const other = executions.add(doubling);
    executions.leaseMs = 30_000;
    await until('the claim to be gone', async () => {
      await announce(other);
      return executions.reports.length > 0;
    });
    await runner?.stop();
    runner = undefined;
    expect(executions.reports.map((report) => report.executionId)).toEqual([other]);
    expect(executions.released).toEqual([]);
  });

  it('checks a run on a cancellation hint, aborts its request, and continues the others', async () => {
    await start();
    const call = definitionOf([
      node('Start', 'manualTrigger', 1, {}),
      node('Call', 'httpRequest', 4.2, { url: slowUrl, options: {} }),
    ]);
    const [cancelled, other] = [executions.add(call), executions.add(call)];
    for (const id of [cancelled, other]) await announce(id);
    await until('both requests', () => slowRequests === 2);
    executions.outcomes.set(cancelled, HeartbeatOutcome.HEARTBEAT_OUTCOME_CANCELLED);
    nats.publish(queue.stoppedSubject, encodeExecutionIds([cancelled, other, uuidv7()]));
    await until('one request to be ended', () => slowEnded === 1);
    expect(executions.asked.sort()).toEqual([cancelled, other].sort());
    expect([executions.reports, slowEnded]).toEqual([[], 1]);
  });

  it('on shutdown releases unfinished runs, ready to continue from there', async () => {
    await start();
    const id = executions.add(
      definitionOf([
        node('Start', 'manualTrigger', 1, {}),
        node('Call', 'httpRequest', 4.2, { url: slowUrl, options: {} }),
      ]),
    );
    await announce(id);
    await until('the request', () => slowRequests > 0);
    await runner?.stop();
    runner = undefined;
    expect(executions.released).toMatchObject([{ executionId: id, fence: 1, checkpoint: 0 }]);
    const state: { ready: { node: string }[] } = JSON.parse(
      Buffer.from(executions.released[0]?.engineState ?? '').toString('utf8'),
    );
    expect(state.ready.map((entry) => entry.node)).toEqual(['Call']);
    expect(executions.released[0]?.nodeRuns.map((run) => run.node)).toEqual(['Start']);
  });
});
