import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { FloodOptions, Flooded } from './flood';

/*
 * The thread of a flood. Requests are written and answers are read without a client library, whose CPU would be missing
 * for the services on the same machine.
 */

const CONNECTIONS = 3_000;
const MAX_ODD = 100;
const LAST_ANSWERS_MS = 40_000;

interface Line {
  readonly base: URL;
  socket: Socket | undefined;
  /** Key of the request whose answer is awaited. */
  busy: string | undefined;
  seen: Buffer;
}

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  readonly length: number;
}

const options: FloodOptions = workerData;
const body = JSON.stringify({ n: 1, ballast: 'y'.repeat(options.bodyBytes) });
const counts: Record<string, number> = {};
const accepted: string[] = [];
const odd: string[] = [];
const free: Line[] = [];
let busy = 0;

const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);

const noteOdd = (what: string): void => {
  if (odd.length < MAX_ODD) odd.push(what);
};

/** The first complete answer in the received bytes; undefined while it is incomplete. */
const readAnswer = (seen: Buffer): Answer | undefined => {
  const end = seen.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = seen.subarray(0, end).toString('latin1');
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const whole = end + 4 + Number(length);
    return seen.length < whole
      ? undefined
      : { status, head, body: seen.subarray(end + 4, whole).toString('utf8'), length: whole };
  }
  const last = seen.indexOf('0\r\n\r\n', end + 4);
  return last < 0 ? undefined : { status, head, body: seen.subarray(end + 4, last).toString('utf8'), length: last + 5 };
};

const release = (line: Line): void => {
  if (line.busy !== undefined) busy -= 1;
  line.busy = undefined;
  free.push(line);
};

const judge = (key: string, { status, head, body: text }: Answer): void => {
  count(String(status));
  if (status >= 200 && status < 300) accepted.push(key);
  else if (status !== 429 && (status !== 503 || !/\r\nretry-after:/i.test(head)))
    noteOdd(`${key}: ${status} ${text.slice(0, 200)}`);
};

const open = (line: Line): Socket => {
  const socket = connect({ port: Number(line.base.port), host: line.base.hostname, noDelay: true });
  socket.on('data', (part) => {
    line.seen = line.seen.length === 0 ? part : Buffer.concat([line.seen, part]);
    const answer = readAnswer(line.seen);
    if (answer === undefined || line.busy === undefined) return;
    judge(line.busy, answer);
    line.seen = line.seen.subarray(answer.length);
    if (/\r\nconnection: *close/i.test(answer.head)) {
      line.socket = undefined;
      socket.end();
    }
    release(line);
  });
  const gone = (what: string): void => {
    if (line.socket !== socket) return;
    line.socket = undefined;
    line.seen = Buffer.alloc(0);
    if (line.busy === undefined) return;
    count('broken');
    noteOdd(`${line.busy}: ${what}`);
    release(line);
  };
  socket.on('error', (error: NodeJS.ErrnoException) => gone(error.code ?? error.message));
  socket.on('close', () => gone('closed before the answer'));
  return socket;
};

const send = (line: Line, index: number): void => {
  const key = `flood-${index}`;
  line.busy = key;
  busy += 1;
  line.seen = Buffer.alloc(0);
  line.socket ??= open(line);
  const path = options.paths[index % options.paths.length] ?? '/';
  line.socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${line.base.host}\r\ncontent-type: application/json\r\nidempotency-key: ` +
      `${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    'latin1',
  );
};

const flood = async (): Promise<Flooded> => {
  for (let index = 0; index < CONNECTIONS; index += 1) {
    free.push({
      base: new URL(options.baseUrls[index % options.baseUrls.length] ?? ''),
      socket: undefined,
      busy: undefined,
      seen: Buffer.alloc(0),
    });
  }
  const began = performance.now();
  let offered = 0;
  let notSent = 0;
  while (performance.now() - began < options.seconds * 1_000) {
    const due = Math.floor(((performance.now() - began) * options.perSecond) / 1_000);
    for (; offered < due; offered += 1) {
      const line = free.shift();
      if (line === undefined) notSent += 1;
      else send(line, offered);
    }
    await sleep(2);
  }
  const until = performance.now() + LAST_ANSWERS_MS;
  while (busy > 0 && performance.now() < until) await sleep(50);
  if (busy > 0) counts['no answer within 40 s'] = busy;
  return { offered, notSent, counts, accepted, odd };
};

void flood().then((flooded) => {
  parentPort?.postMessage(flooded);
  process.exit(0);
});
