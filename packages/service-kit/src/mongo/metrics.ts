import { Connection } from 'mongodb/lib/cmap/connection';
import type { MongoClient } from 'mongodb';
import { boundTo, createGauge, createHistogram, OPERATION_BUCKETS } from '../metrics';

/** The driver's names of the commands that services send; all others are `other`. */
const OPERATIONS = [
  'find',
  'getMore',
  'insert',
  'update',
  'delete',
  'findAndModify',
  'aggregate',
  'count',
  'distinct',
  'bulkWrite',
  'createIndexes',
  'listIndexes',
  'ping',
  'other',
] as const;
const operationOf = boundTo(OPERATIONS);

/** Commands of the driver itself, which no caller waits for. */
const OWN_COMMANDS: ReadonlySet<string> = new Set(['hello', 'ismaster', 'isMaster', 'saslStart', 'saslContinue']);

const seconds = createHistogram({
  name: 'weft_store_seconds',
  help: 'Time of an operation on the store, from sending it to its answer, in seconds.',
  labels: { operation: OPERATIONS, outcome: ['ok', 'error'] },
  buckets: OPERATION_BUCKETS,
});

const commandOf = (command: unknown): string =>
  typeof command === 'object' && command !== null ? (Object.keys(command)[0] ?? '') : '';

const { command: send } = Connection.prototype;

/**
 * Times every command where the driver sends it. The driver's command monitoring would copy each command and parse each
 * response a second time.
 */
Connection.prototype.command = async function (...values) {
  const name = commandOf(values[1]);
  if (OWN_COMMANDS.has(name)) return send.apply(this, values);
  const operation = operationOf(name);
  const startedAt = performance.now();
  let outcome: 'ok' | 'error' = 'error';
  try {
    const answer = await send.apply(this, values);
    outcome = 'ok';
    return answer;
  } finally {
    seconds.observe({ operation, outcome }, (performance.now() - startedAt) / 1_000);
  }
};

const connections = createGauge({
  name: 'weft_store_connections',
  help: 'Connections to the store: idle ones, busy ones, and operations that wait for one.',
  labels: { state: ['idle', 'busy', 'waiting'] },
});

/**
 * Shows the connection pool of a client in the metrics. Connections that already exist are counted when they are first
 * used.
 */
export const showConnections = (client: MongoClient): (() => void) => {
  const open = new Set<unknown>();
  let busy = 0;
  let waiting = 0;
  client.on('connectionReady', ({ connectionId }) => open.add(connectionId));
  client.on('connectionClosed', ({ connectionId }) => open.delete(connectionId));
  client.on('connectionCheckOutStarted', () => (waiting += 1));
  client.on('connectionCheckOutFailed', () => (waiting -= 1));
  client.on('connectionCheckedOut', ({ connectionId }) => {
    open.add(connectionId);
    waiting -= 1;
    busy += 1;
  });
  client.on('connectionCheckedIn', () => (busy -= 1));
  return connections.read(() => [
    [{ state: 'idle' }, Math.max(0, open.size - busy)],
    [{ state: 'busy' }, Math.max(0, busy)],
    [{ state: 'waiting' }, Math.max(0, waiting)],
  ]);
};
