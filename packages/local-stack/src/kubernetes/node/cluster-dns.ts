import { createSocket } from 'node:dgram';

/** Addresses of a name; undefined: it does not exist. */
export type LookUp = (name: string) => readonly string[] | undefined;

const HEADER_BYTES = 12;
const MAX_LABELS = 64;
const TYPE_A = 1;
/** Authoritative answer, recursion available; and the same with "no such name". */
const FOUND = 0x8580;
const NO_NAME = 0x8583;
const TTL_S = 5;

interface Question {
  readonly name: string;
  readonly type: number;
  /** As it stands in the message. */
  readonly bytes: Buffer;
}

const readQuestion = (message: Buffer): Question | undefined => {
  let at = HEADER_BYTES;
  const labels: string[] = [];
  for (;;) {
    const length = message[at];
    if (length === undefined || length > 63 || labels.length > MAX_LABELS) return undefined;
    if (length === 0) break;
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const end = at + 5;
  if (message.length < end) return undefined;
  const name = labels.join('.').toLowerCase();
  return { name, type: message.readUInt16BE(at + 1), bytes: message.subarray(HEADER_BYTES, end) };
};

const answerTo = (message: Buffer, question: Question, addresses: readonly string[] | undefined): Buffer => {
  const answers = question.type === TYPE_A ? (addresses ?? []) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(addresses === undefined ? NO_NAME : FOUND, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  const records = answers.map((address) => {
    const record = Buffer.alloc(16);
    // A pointer to the name in the question, then type A, class IN.
    record.writeUInt16BE(0xc000 + HEADER_BYTES, 0);
    record.writeUInt16BE(TYPE_A, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(TTL_S, 6);
    record.writeUInt16BE(4, 10);
    for (const [index, part] of address.split('.').entries()) record.writeUInt8(Number(part), 12 + index);
    return record;
  });
  return Buffer.concat([header, question.bytes, ...records]);
};

/** Serves names over UDP on port 53 of an address. Returns the way to stop. */
export const serveDns = (address: string, lookUp: LookUp): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.on('message', (message, from) => {
      const question = message.length < HEADER_BYTES ? undefined : readQuestion(message);
      if (question !== undefined)
        socket.send(answerTo(message, question, lookUp(question.name)), from.port, from.address);
    });
    socket.once('error', reject);
    socket.bind(53, address, () => {
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve(() => socket.close());
    });
  });
