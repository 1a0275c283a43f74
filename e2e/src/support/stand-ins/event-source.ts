import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** An event as the library `eventsource` delivers it. */
export interface DeliveredEvent {
  readonly type: string;
  /** The id of the last event with one; empty before. */
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client that follows an execution. */
export interface EventSourceClient {
  readonly events: readonly DeliveredEvent[];
  /** How often it has connected. */
  readonly connections: () => number;
  /** Resolves when it has stopped: the server has answered with 204, or an error. */
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

/** The library is an ES module, which a test cannot load: it runs in a separate process. */
const PROGRAM = `
import { EventSource } from 'eventsource';
const [url, key] = process.argv.slice(1);
const print = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const source = new EventSource(url, {
  fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, 'x-svc-api-key': key } }),
});
source.addEventListener('open', () => print({ type: 'open', id: '', data: {} }));
for (const type of ['progress', 'restarted', 'end', 'execution.accepted', 'node.finished', 'execution.ended'])
  source.addEventListener(type, (event) => print({ type, id: event.lastEventId, data: JSON.parse(event.data) }));
source.addEventListener('error', () => {
  if (source.readyState === EventSource.CLOSED) process.exit(0);
});
`;

const isEvent = (value: unknown): value is DeliveredEvent =>
  typeof value === 'object' && value !== null && 'type' in value && 'data' in value;

/** Follows an execution with the library `eventsource`, which reconnects until it is told to stop. */
export const followWithEventSource = (url: string, apiKey: string): EventSourceClient => {
  const client = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, url, apiKey], {
    cwd: join(__dirname, '..', '..', '..', '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const events: DeliveredEvent[] = [];
  let connections = 0;
  createInterface({ input: client.stdout }).on('line', (line) => {
    const event: unknown = JSON.parse(line);
    if (!isEvent(event)) return;
    if (event.type === 'open') connections += 1;
    else events.push(event);
  });
  return {
    events,
    connections: () => connections,
    ended: new Promise((resolve) => client.once('exit', () => resolve())),
    stop: () => void client.kill(),
  };
};
