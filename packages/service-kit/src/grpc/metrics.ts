import {
  getChannelzHandlers,
  status as GrpcCode,
  type Client,
  type handleUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { Gauge } from 'prom-client';
import {
  boundTo,
  CALL_BUCKETS,
  createCounter,
  createCounterSeries,
  createGauge,
  createHistogram,
  createHistogramSeries,
  registry,
} from '../metrics';

/** Names of the services that are called; anything else is a programming error. */
const PEERS = ['workflows', 'executions', 'credentials', 'runner', 'other'] as const;
type Peer = (typeof PEERS)[number];

const peerOf = boundTo(PEERS);

const codeName = (code: number): string => GrpcCode[code] ?? 'UNKNOWN';

const METHOD_LABELS = ['grpc_service', 'grpc_method'] as const;

const serverHandled = createCounterSeries(
  {
    name: 'grpc_server_handled_total',
    help: 'Calls that this process has answered.',
    labelNames: [...METHOD_LABELS, 'grpc_code'],
  },
  registry,
);
const serverSeconds = createHistogramSeries(
  {
    name: 'grpc_server_handling_seconds',
    help: 'Time from a call to the end of its answer, in seconds.',
    labelNames: METHOD_LABELS,
  },
  CALL_BUCKETS,
  registry,
);
const clientHandled = createCounterSeries(
  {
    name: 'grpc_client_handled_total',
    help: 'Calls of this process that were answered or failed.',
    labelNames: ['target', 'grpc_code'],
  },
  registry,
);
const clientSeconds = createHistogram({
  name: 'grpc_client_handling_seconds',
  help: 'Time from sending a call to the end of its answer, in seconds.',
  labels: { target: PEERS },
  buckets: CALL_BUCKETS,
});

let callEvents = 0;

/**
 * Number of calls begun and ended by this process as a server, without untimed ones and those that have no rule, such
 * as probes.
 */
export const countCallEvents = (): number => callEvents;

/** Times calls of one method served by this process. @param path `/package.Service/Method` of the definition */
export const timeServed = (path: string): (() => (code: number) => void) => {
  const [, grpc_service = '', grpc_method = ''] = path.split('/');
  return () => {
    const startedAt = performance.now();
    callEvents += 1;
    return (code) => {
      callEvents += 1;
      serverHandled({ grpc_service, grpc_method, grpc_code: codeName(code) }).inc();
      serverSeconds({ grpc_service, grpc_method }).observe((performance.now() - startedAt) / 1_000);
    };
  };
};

/** Starts timing a call to a peer. */
export const timeCall = (service: string): ((code: number) => void) => {
  const target = peerOf(service);
  const startedAt = performance.now();
  return (code) => {
    clientHandled({ target, grpc_code: codeName(code) }).inc();
    clientSeconds.observe({ target }, (performance.now() - startedAt) / 1_000);
  };
};

const rejected = createCounter({
  name: 'weft_breaker_rejected_total',
  help: 'Calls that were refused without being sent.',
  labels: { target: PEERS, why: ['open', 'capacity'] },
});

/** Counts a call that a breaker refused. */
export const countRejected = (service: string, why: 'open' | 'capacity'): void =>
  rejected.inc({ target: peerOf(service), why });

const tunnelled = createCounter({
  name: 'weft_tunnelled_calls_total',
  help: 'Calls of this process that were sent on a stream with others.',
  labels: { target: PEERS },
});

/** Counts a call sent on a stream. */
export const countTunnelled = (service: string): void => tunnelled.inc({ target: peerOf(service) });

/** Gauge value of each breaker state. */
export const BREAKER_STATES = { closed: 0, halfOpen: 1, open: 2 } as const;

interface WatchedBreaker {
  readonly target: Peer;
  readonly state: () => number;
}
const breakers = new Set<WatchedBreaker>();

new Gauge({
  name: 'weft_breaker_state',
  help: 'State of the breakers of a target, the worst of them: 0 closed, 1 half open, 2 open.',
  labelNames: ['target'],
  registers: [registry],
  collect() {
    this.reset();
    const worst = new Map<Peer, number>();
    for (const { target, state } of breakers) worst.set(target, Math.max(worst.get(target) ?? 0, state()));
    for (const [target, state] of worst) this.set({ target }, state);
  },
});

/** Shows a breaker in the metrics. @returns a function that removes it */
export const showBreaker = (service: string, state: () => number): (() => void) => {
  const watched = { target: peerOf(service), state };
  breakers.add(watched);
  return () => breakers.delete(watched);
};

const ENDPOINT_STATES = ['idle', 'connecting', 'ready', 'transient_failure', 'shutdown'] as const;

const endpoints = createGauge({
  name: 'weft_grpc_endpoints',
  help: 'Connections to the replicas of a target, by their state; each client of the target has its own.',
  labels: { target: PEERS, state: ENDPOINT_STATES },
});

const channelz = getChannelzHandlers();

/** Asks the channelz service in this process; undefined if it does not know the entity. */
const ask = <Answer>(handler: handleUnaryCall<never, Answer>, request: object): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const callback: sendUnaryData<Answer> = (_error, answer) => resolve(answer ?? undefined);
    Reflect.apply(handler, channelz, [{ request }, callback]);
  });

const statesOf = async (client: Client): Promise<readonly string[]> => {
  const { id } = client.getChannel().getChannelzRef();
  const answer = await ask(channelz.GetChannel, { channel_id: id });
  return Promise.all(
    (answer?.channel?.subchannel_ref ?? []).map(async ({ subchannel_id }) => {
      const found = await ask(channelz.GetSubchannel, { subchannel_id });
      return String(found?.subchannel?.data?.state?.state).toLowerCase();
    }),
  );
};

/** Shows the connections of a client in the metrics. @returns a function that removes them */
export const showEndpoints = (service: string, client: Client): (() => void) => {
  const target = peerOf(service);
  return endpoints.read(async () => {
    const states = await statesOf(client);
    return ENDPOINT_STATES.map((state) => [{ target, state }, states.filter((one) => one === state).length]);
  });
};
