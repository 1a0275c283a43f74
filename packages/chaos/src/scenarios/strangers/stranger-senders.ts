import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, type Strangers } from './strangers-at-work';

/** The beginning of a request, and the data that follows as long as its connection is open. */
interface Sender {
  readonly begin: Buffer;
  /** Sent each second; absent: nothing more. */
  readonly each?: string;
}

const PATIENCE_MS = 60_000;
const EVERY_MS = 1_000;
const AFTER_FAULT_MS = 20;

/** More than the limit for all bodies of webhooks together, divided among the senders. */
const UNFINISHED_BYTES = 8_000_000;

const head = (path: string, type: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nhost: strangers\r\nx-weft-console: 1\r\ncontent-type: ${type}\r\n` +
  `content-length: ${length}\r\n\r\n`;

/** The same bytes for all senders, so that the process stays small. */
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Senders by name. Bodies arrive above the minimum rate, or stop altogether. */
const SENDERS: Readonly<Record<string, Sender>> = {
  'unfinished head': { begin: bytes('GET /api/v1/workflows HTTP/1.1\r\nhost: strangers\r\nx-more: ') },
  'slow head': { begin: bytes('GET /api/v1/workflows HTTP/1.1\r\nhost: strangers\r\n'), each: 'x-more: 1\r\n' },
  'unfinished body': {
    begin: bytes(`${head('/webhook/plain', 'application/json', 9_900_000)}{"text":"${'x'.repeat(UNFINISHED_BYTES)}`),
  },
  'slow body': {
    begin: bytes(`${head('/webhook/plain', 'application/json', 9_900_000)}{"text":"${'x'.repeat(500_000)}`),
    each: 'x'.repeat(1_500),
  },
  'slow upload': {
    begin: bytes(
      `${head('/webhook/plain', 'multipart/form-data; boundary=b', 9_900_000)}--b\r\n` +
        'content-disposition: form-data; name="f"; filename="f"\r\n\r\n',
    ),
    each: 'x'.repeat(1_500),
  },
  'unfinished sign-in': { begin: bytes(`${head('/console/api/session', 'application/json', 60_000)}{"email":"`) },
};

/** Names of all senders. */
export const SENDER_NAMES = Object.keys(SENDERS);

const keepSending = async (socket: Socket, each: string): Promise<void> => {
  while (!socket.destroyed) {
    await sleep(EVERY_MS);
    if (!socket.destroyed) socket.write(each);
  }
};

/**
 * One request until its connection ends, which may be long after its answer.
 * @param told called with the outcome when it is known
 */
const sendOnce = (
  { baseUrls, isOver }: Strangers,
  index: number,
  { begin, each }: Sender,
  told: (outcome: string) => void,
): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(baseUrls[index % baseUrls.length] ?? '');
    const socket = connect({ host: hostname, port: Number(port), localAddress: addressOf(index) });
    let isAnswered = false;
    const watch = setInterval(() => isOver() && socket.destroy(), EVERY_MS);
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('data', (part: Buffer) => {
      if (!isAnswered) told(part.subarray(9, 12).toString('latin1'));
      isAnswered = true;
    });
    // The gateway closes connections while the request is sent: that is an outcome, not an error.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(watch);
      if (!isAnswered) told('closed');
      resolve();
    });
    socket.once('connect', () => told('begun'));
    socket.write(begin);
    if (each !== undefined) void keepSending(socket, each);
  });

/** One stranger that sends such requests one after another. */
export const send = async (strangers: Strangers, index: number, name: string): Promise<void> => {
  const sender = SENDERS[name];
  if (sender === undefined) throw new Error(`There is no sender ${name}.`);
  while (!strangers.isOver()) {
    await sendOnce(strangers, index, sender, (outcome) => {
      if (!strangers.isOver()) strangers.count(`${name}: ${outcome}`);
    });
    await sleep(AFTER_FAULT_MS);
  }
};
