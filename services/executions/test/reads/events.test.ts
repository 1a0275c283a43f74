import { randomBytes } from 'node:crypto';
import {
  DeltaBatch,
  StreamEnd,
  type Event,
  type ListEventsResponse,
  type StreamEventsResponse,
} from '@weft/proto/events';
import { decodeExecutionIds } from '@weft/proto/execution-queue';
import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { CLOSED_PROJECTS_LEASE_MS } from '@weft/service-kit/visibility';
import {
  claim,
  claimIsolated,
  failedReportOf,
  heartbeat,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const FACTS = { startedAtMs: 1_800_000_000_000, durationMs: 12, outputItems: [2, 0], errorMessage: '' };

/** One frame in a short form. */
const shown = ({ frame }: StreamEventsResponse): string => {
  switch (frame?.$case) {
    case 'event':
      return `${frame.value.sequence} ${frame.value.kind?.$case ?? ''}`;
    case 'progress':
      return `progress ${frame.value.execution?.state ?? ''}`;
    case 'end':
      return StreamEnd[frame.value] ?? '';
    case 'delta':
      return `delta ${frame.value.offset} ${frame.value.text}`;
    case 'firstSequence':
      return `first ${frame.value}`;
    case undefined:
      return '';
  }
};

const numbersOf = (events: readonly Event[]): number[] => events.map(({ sequence }) => sequence);

describe('events of executions', () => {
  let stack: TestStack;
  let replica: Replica;
  let other: Replica;
  let workflow: FakeWorkflow;
  const project = uuidv7();

  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    other = await stack.startReplica();
    workflow = stack.workflows.add();
  });
  afterAll(() => stack.stop());

  const list = (
    at: Replica,
    executionId: string,
    fields: object = {},
    principal = OWNER,
  ): Promise<ListEventsResponse> =>
    at.events.listEvents({ executionId, afterSequence: 0, limit: 0, waitMs: 0, ...fields }, { principal });

  /** Collects the frames of a stream. */
  const follow = (
    at: Replica,
    executionId: string,
    afterSequence = 0,
    principal: Principal = OWNER,
    deadlineMs = 40_000,
  ) => {
    const frames: StreamEventsResponse[] = [];
    const read = async (): Promise<void> => {
      for await (const frame of at.events.streamEvents({ executionId, afterSequence }, { principal, deadlineMs }))
        frames.push(frame);
    };
    const ended = read();
    ended.catch(() => undefined);
    const has = (text: string) => until(text, () => frames.map(shown).includes(text));
    return { frames, ended, has, texts: () => frames.map(shown) };
  };
  const checkpoint = (at: Replica, executionId: string, number: number, ...indexes: number[]) =>
    at.runner.checkpoint({
      entries: [
        {
          executionId,
          fence: 1,
          checkpoint: number,
          nodeRuns: indexes.map((index) => nodeRun(`N${index}`, index, undefined, { facts: FACTS })),
          engineState: Buffer.from('state'),
        },
      ],
    });

  it('come with the text that nodes write now, at each replica that streams the run', async () => {
    const id = await start(replica, workflow);
    const readers = [follow(other, id), follow(replica, id)];
    await Promise.all(readers.map(({ has }) => has('1 accepted')));
    const head = { node: 'Agent', nodeId: 'a', run: 0, item: 0, attempt: 1, number: 0, ends: false };
    const publish = (data: Uint8Array) => stack.nats.publish(`${stack.queue.deltasSubject}.${id}`, data);
    publish(Buffer.from('not a batch'));
    publish(DeltaBatch.encode({ deltas: [{ ...head, offset: 0, text: 'Hel' }] }).finish());
    await Promise.all(readers.map(({ has }) => has('delta 0 Hel')));
    publish(DeltaBatch.encode({ deltas: [{ ...head, offset: 3, text: 'lo' }] }).finish());
    await Promise.all(readers.map(({ has }) => has('delta 3 lo')));
    await claim(replica, id);
    await replica.runner.report({ entries: [{ ...reportOf(id, 1), nodeRuns: [nodeRun('Agent', 0)] }] });
    await Promise.all(readers.map(({ ended }) => ended));
    // A text is not stored.
    const late = follow(replica, id);
    await late.ended;
    expect(late.texts().filter((text) => text.startsWith('delta'))).toEqual([]);
  });

  it('give the gateway the text of a run that is not started yet, but no other caller', async () => {
    const id = uuidv7();
    const call = new AbortController();
    const texts: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { delta } of other.events.streamDeltas({ executionId: id }, { signal: call.signal }))
        texts.push(delta?.text ?? '<opened>');
    };
    const ended = read().catch(() => undefined);
    await until('opened', () => texts.length === 1);
    const delta = { node: 'A', nodeId: 'a', run: 0, item: 0, attempt: 1, number: 0, offset: 0, text: 'Hi', ends: true };
    await until('the subscription', () => {
      stack.nats.publish(`${stack.queue.deltasSubject}.${id}`, DeltaBatch.encode({ deltas: [delta] }).finish());
      return texts.includes('Hi');
    });
    call.abort();
    await ended;
    const asUser = async () => {
      for await (const _ of other.events.streamDeltas({ executionId: id }, { principal: OWNER })) return;
    };
    await expect(asUser()).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('let gateways pass text to each other, at any replica, and no user', async () => {
    const id = uuidv7();
    const call = new AbortController();
    const parts: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { delta } of other.events.streamDeltas({ executionId: id }, { signal: call.signal }))
        parts.push(delta?.text ?? '<opened>');
    };
    const ended = read().catch(() => undefined);
    await until('opened', () => parts.length === 1);
    const part = { node: '', nodeId: '', run: 0, item: 0, attempt: 1, offset: 0, ends: true };
    let number = 0;
    await until('the text has come', async () => {
      number += 1;
      await replica.events.sendDeltas({ executionId: id, deltas: [{ ...part, number, text: 'Hi' }] });
      return parts.includes('Hi');
    });
    call.abort();
    await ended;
    const long = { ...part, number, text: 'x'.repeat(20_001) };
    await expect(replica.events.sendDeltas({ executionId: id, deltas: [long] })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
    });
    await expect(replica.events.sendDeltas({ executionId: 'a.b', deltas: [] })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
    });
    await expect(
      replica.events.sendDeltas({ executionId: id, deltas: [] }, { principal: OWNER }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('are the same at every replica, as pages and as a stream, for early and late readers', async () => {
    const id = await start(replica, workflow);
    const early = follow(other, id);
    await early.has('1 accepted');
    await claim(replica, id);
    await checkpoint(replica, id, 1, 0, 1);
    await early.has('3 nodeFinished');
    await replica.runner.report({ entries: [{ ...reportOf(id, 1), checkpoint: 1, nodeRuns: [nodeRun('N2', 2)] }] });
    await early.ended;
    const late = follow(replica, id);
    await late.ended;
    const eventsOf = (frames: readonly StreamEventsResponse[]) =>
      frames.flatMap(({ frame }) => (frame?.$case === 'event' ? [frame.value] : []));
    const { events, complete, progress } = await list(other, id);
    expect(eventsOf(early.frames)).toEqual(events);
    expect(eventsOf(late.frames)).toEqual(events);
    expect(complete).toBe(true);
    expect(numbersOf(events)).toEqual([1, 2, 3, 4, 5]);
    expect(late.texts().at(-1)).toBe('STREAM_END_COMPLETE');
    expect(late.texts()[0]).toBe(`progress ${progress?.execution?.state ?? ''}`);
    expect(events[1]).toMatchObject({
      time: new Date(FACTS.startedAtMs + FACTS.durationMs),
      kind: { $case: 'nodeFinished', value: { node: 'N0', executionIndex: 0, failed: false, facts: FACTS } },
    });
    // A runner of an earlier release sends no facts.
    expect(events[3]?.kind).toMatchObject({ $case: 'nodeFinished', value: { node: 'N2' } });
    expect(events[3]?.time).toBeUndefined();
    expect(events[4]?.kind).toMatchObject({ $case: 'ended', value: { id, nodeRunCount: 3 } });
  });

  it('come in pages that continue after any number, also out of a log', async () => {
    const id = await start(replica, workflow);
    await claim(replica, id);
    const many = Array.from({ length: 300 }, (_, index) =>
      nodeRun('N', index, { text: randomBytes(600).toString('hex') }, { run: index, facts: FACTS }),
    );
    for (const part of [0, 1, 2])
      await replica.runner.checkpoint({
        entries: [
          {
            executionId: id,
            fence: 1,
            checkpoint: part + 1,
            nodeRuns: many.slice(part * 100, part * 100 + 100),
            engineState: Buffer.from('s'),
          },
        ],
      });
    expect((await stack.stored(id))?.log?.length).toBeGreaterThan(0);
    await replica.runner.report({ entries: [{ ...reportOf(id, 1), checkpoint: 3 }] });
    const numbers: number[] = [];
    for (
      let page = await list(replica, id, { limit: 37 });
      ;
      page = await list(replica, id, { limit: 37, afterSequence: numbers.at(-1) })
    ) {
      numbers.push(...numbersOf(page.events));
      expect(page.events.length).toBeLessThanOrEqual(37);
      if (page.complete) break;
    }
    expect(numbers).toEqual(Array.from({ length: 302 }, (_, index) => index + 1));
    expect(await list(replica, id, { afterSequence: 302 })).toMatchObject({ events: [], complete: true });
    await expect(list(replica, id, { limit: 1_001 })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(list(replica, uuidv7())).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
    await expect(follow(replica, 'x').ended).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
  });

  it('delay a response without events until something changes, at most for the wait', async () => {
    const id = await start(replica, workflow);
    const began = performance.now();
    expect((await list(other, id, { afterSequence: 1, waitMs: 300 })).events).toEqual([]);
    expect(performance.now() - began).toBeGreaterThan(250);
    /** Begins to wait; resolves when the service has announced it. */
    const begin = async () => {
      const announced = new Promise<void>((resolve) => {
        const hints = stack.nats.subscribe(stack.queue.followedSubject, {
          callback: (_, { data }) => {
            if (!decodeExecutionIds(data).includes(id)) return;
            hints.unsubscribe();
            resolve();
          },
        });
      });
      await stack.nats.flush();
      const answer = list(other, id, { afterSequence: 1, waitMs: 20_000 });
      await announced;
      // The read that begins with the announcement.
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { answer };
    };
    const next = await begin();
    await claim(replica, id);
    expect(await next.answer).toMatchObject({ events: [], complete: false });
    const later = await begin();
    await checkpoint(replica, id, 1, 0);
    expect(numbersOf((await later.answer).events)).toEqual([2]);
    expect(performance.now() - began).toBeLessThan(8_000);
    await expect(list(replica, id, { waitMs: 25_001 })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  it('show what the runner of a followed run has not stored yet, until it is stored', async () => {
    const id = await start(replica, workflow);
    const { fence } = await claim(replica, id);
    const running = { node: 'Slow', run: 0, startedAtMs: 1_800_000_000_000 };
    const notStored = [0, 1].map((executionIndex) => ({ node: 'N', run: 0, executionIndex, failed: false, bytes: 2 }));
    const beat = (progress: object) =>
      replica.runner.heartbeat({
        runnerId: 'r',
        held: [{ executionId: id, fence, progress: { notStored: [], ...progress } }],
      });
    await beat({ running, notStored });
    expect((await list(other, id)).progress).toMatchObject({ running, notStored });
    await checkpoint(replica, id, 1, 0);
    const { progress, events } = await list(other, id);
    expect([numbersOf(events), progress?.notStored]).toEqual([[1, 2], notStored.slice(1)]);
    // Too large to be shown: but the lease is renewed.
    const { outcomes } = await beat({ running: { ...running, node: 'x'.repeat(9_000) } });
    expect(outcomes).toHaveLength(1);
    expect((await list(other, id)).progress?.running?.node).toBe('Slow');
    await replica.runner.report({ entries: [{ ...reportOf(id, fence), checkpoint: 1 }] });
    expect((await list(other, id)).progress).toMatchObject({ notStored: [] });
    expect((await list(other, id)).progress?.running).toBeUndefined();
  });

  it('continue after the numbers of node runs that a restart dropped', async () => {
    const restarting = stack.workflows.add({ settings: { crashPolicy: 'restart' } });
    const clock = { now: Date.now() };
    const dead = await stack.startReplica({ LEASE_MS: '1000', SWEEP_MS: '100' }, () => clock.now);
    const id = await start(dead, restarting);
    await claim(dead, id);
    await heartbeat(dead, id, 1);
    await checkpoint(dead, id, 1, 0, 1);
    const early = follow(other, id);
    await early.has('3 nodeFinished');
    await until('it was restarted', async () => {
      clock.now += 1_000;
      return (await stack.stored(id))?.lostNodeRuns === 2;
    });
    clock.now += 120_000;
    const { fence } = await until('it can be claimed', () => claimIsolated(dead, id).catch(() => undefined));
    await dead.runner.report({ entries: [{ ...reportOf(id, fence), nodeRuns: [nodeRun('N', 0)] }] });
    await early.ended;
    expect(early.texts().filter((text) => !text.startsWith('progress'))).toEqual([
      '1 accepted',
      '2 nodeFinished',
      '3 nodeFinished',
      '4 nodeFinished',
      '5 ended',
      'STREAM_END_COMPLETE',
    ]);
    expect(await list(replica, id)).toMatchObject({ firstSequence: 4 });
    expect(numbersOf((await list(replica, id)).events)).toEqual([1, 4, 5]);
    const late = follow(replica, id, 1);
    await late.ended;
    expect(late.texts().filter((text) => !text.startsWith('progress'))).toEqual([
      'first 4',
      '4 nodeFinished',
      '5 ended',
      'STREAM_END_COMPLETE',
    ]);
    await dead.stop();
  });

  it('end when the execution is deleted, when the time is over, and when the replica stops', async () => {
    const id = await start(replica, workflow);
    const deleted = follow(other, id);
    const short = follow(other, id, 0, OWNER, 1_500);
    await Promise.all([deleted.has('1 accepted'), short.ended]);
    expect(short.texts().at(-1)).toBe('STREAM_END_TIME_LIMIT');
    const stopping = await stack.startReplica();
    const stopped = follow(stopping, id);
    await stopped.has('1 accepted');
    await stopping.stop();
    await stopped.ended.catch(() => undefined);
    expect(stopped.texts().at(-1)).toBe('STREAM_END_TIME_LIMIT');
    await claim(replica, id);
    await replica.runner.report({ entries: [{ ...reportOf(id, 1), discard: true }] });
    await deleted.ended;
    expect(deleted.texts().at(-1)).toBe('STREAM_END_DELETED');
  });

  it('are refused from the next frame on when the project of the workflow is closed', async () => {
    const own = stack.workflows.add({}, project);
    const id = await start(replica, own);
    const stranger: Principal = { userId: 'stranger', role: 'viewer' };
    const open = follow(other, id, 0, stranger);
    await open.has('1 accepted');
    stack.projects.closed.add(project);
    await new Promise((resolve) => setTimeout(resolve, CLOSED_PROJECTS_LEASE_MS));
    await claim(replica, id);
    await checkpoint(replica, id, 1, 0);
    await expect(open.ended).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect(open.texts().filter((text) => text.startsWith('2'))).toEqual([]);
    await expect(list(replica, id, {}, stranger)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('reach a healthy reader while another user has all its places and reads nothing', async () => {
    const id = await start(replica, workflow);
    const greedy: Principal = { userId: 'greedy', role: 'viewer' };
    const streams = Array.from({ length: 200 }, () =>
      other.events
        .streamEvents({ executionId: id, afterSequence: 0 }, { principal: greedy, deadlineMs: 30_000 })
        [Symbol.asyncIterator](),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    await expect(follow(other, id, 0, greedy).ended).rejects.toMatchObject({ reason: 'TOO_MANY_WAITING' });
    const healthy = follow(other, id);
    await healthy.has('1 accepted');
    await claim(replica, id);
    const stored = performance.now();
    await checkpoint(replica, id, 1, 0);
    await healthy.has('2 nodeFinished');
    expect(performance.now() - stored).toBeLessThan(3_000);
    for (const stream of streams) await stream.return?.();
    await replica.runner.report({ entries: [{ ...failedReportOf(id, 1), checkpoint: 1 }] });
    await healthy.ended;
    expect(
      (await until('places are free', () => list(other, id, { waitMs: 1 }, greedy).catch(() => undefined))).complete,
    ).toBe(true);
  });
});
