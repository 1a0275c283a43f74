import {
  EventServiceService,
  type Event,
  type ListEventsResponse,
  type NodeRunSummary,
  StreamEnd,
  type StreamEventsResponse,
  type Delta,
} from '@weft/proto/events';
import { type Execution, ExecutionState, ExecutionStatus } from '@weft/proto/executions';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { once } from 'node:events';
import { executionOf, notFound } from './executions';
import { createFake } from './fake';

const read = { users: 'executions:read' as const };

/** A running execution. */
export const runningOf = (id: string): Execution =>
  executionOf(id, {
    state: ExecutionState.EXECUTION_STATE_RUNNING,
    status: ExecutionStatus.EXECUTION_STATUS_RUNNING,
    finishedAt: undefined,
  });

/** Frames as the service sends them. */
export const FRAMES = {
  event: (value: Event): StreamEventsResponse => ({ frame: { $case: 'event', value } }),
  progress: (execution: Execution): StreamEventsResponse => ({
    frame: { $case: 'progress', value: { execution, notStored: [], resumeAt: undefined, waitsForCall: false } },
  }),
  first: (value: number): StreamEventsResponse => ({ frame: { $case: 'firstSequence', value } }),
  end: (value: StreamEnd): StreamEventsResponse => ({ frame: { $case: 'end', value } }),
};

/** The event of a node run. */
export const nodeFinished = (sequence: number, over: Partial<NodeRunSummary> = {}): Event => ({
  sequence,
  time: new Date('2026-01-02T03:04:05.700Z'),
  kind: {
    $case: 'nodeFinished',
    value: {
      node: 'Set',
      run: 0,
      executionIndex: sequence - 2,
      failed: false,
      bytes: 120,
      facts: {
        startedAtMs: Date.parse('2026-01-02T03:04:05.688Z'),
        durationMs: 12,
        outputItems: [1],
        errorMessage: '',
      },
      ...over,
    },
  },
});

/** The content of one call of a stream: frames, then an error, or nothing until the caller leaves. */
export interface StreamScript {
  readonly frames: readonly StreamEventsResponse[];
  readonly error?: Error;
  readonly hangs?: true;
}

const RUNNING = {
  execution: runningOf('e1'),
  notStored: [],
  resumeAt: undefined,
  waitsForCall: false,
};

/** The events of the executions service, as tests script them. */
export const fakeEvents = () => {
  const fake = createFake();
  /** The calls of streams, in order. */
  const scripts: StreamScript[] = [];
  const page: { value: ListEventsResponse } = {
    value: { events: [], progress: RUNNING, complete: false },
  };
  /** Parts of text that any execution writes. */
  const deltas: Delta[] = [];
  let open = 0;
  const handlers: Handlers<typeof EventServiceService> = {
    listEvents: (request, context) =>
      fake.act('listEvents', request, context, () => {
        if (request.executionId === 'no-such-id') throw notFound(request.executionId);
        return page.value;
      }),
    async *streamEvents(request, context) {
      const { frames, error, hangs } = await fake.act(
        'streamEvents',
        request,
        context,
        () => scripts.shift() ?? { frames: [FRAMES.end(StreamEnd.STREAM_END_TIME_LIMIT)] },
      );
      open += 1;
      try {
        yield* frames;
        if (error !== undefined) throw error;
        if (hangs === true && !context.signal.aborted) await once(context.signal, 'abort');
      } finally {
        open -= 1;
      }
    },
    async *streamDeltas(_, context) {
      yield {};
      for (const delta of deltas.splice(0)) yield { delta };
      if (!context.signal.aborted) await once(context.signal, 'abort');
    },
    sendDeltas: (request, context) => fake.act('sendDeltas', request, context, () => ({})),
  };
  return {
    ...fake,
    scripts,
    deltas,
    page,
    open: () => open,
    bound: bindService(EventServiceService, handlers, {
      listEvents: read,
      streamEvents: read,
      streamDeltas: { services: ['gateway'] },
      sendDeltas: { services: ['gateway'] },
    }),
  };
};
