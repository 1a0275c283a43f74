import { createSocket } from 'node:dgram';

/** The place of a service, as SRV records name it. */
export interface ServicePlace {
  readonly target: string;
  readonly port: number;
}

/** A record: an IPv4 or IPv6 address, or the place of a service. */
export type DnsRecord = string | ServicePlace;

/** Records of a name, for one question; undefined: it does not exist. Types other than these have no records. */
export type LookUp = (name: string, type: 'A' | 'AAAA' | 'SRV' | 'other') => Answer | Promise<Answer>;

type Answer = readonly DnsRecord[] | undefined;

const HEADER_BYTES = 12;
const MAX_LABELS = 64;
const TYPES = { A: 1, AAAA: 28, SRV: 33 } as const;
type KnownType = keyof typeof TYPES;
/** Authoritative answer, recursion available; and the same with "no such name". */
const FOUND = 0x8580;
const NO_NAME = 0x8583;
const TTL_S = 5;

interface Question {
  readonly name: string;
  readonly type: KnownType | 'other';
  /** As in the message. */
  readonly bytes: Buffer;
}

const typeOf = (number: number): Question['type'] => {
  if (number === TYPES.A) return 'A';
  if (number === TYPES.AAAA) return 'AAAA';
  return number === TYPES.SRV ? 'SRV' : 'other';
};

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
  return { name, type: typeOf(message.readUInt16BE(at + 1)), bytes: message.subarray(HEADER_BYTES, end) };
};

/** The 16 bytes of an IPv6 address without an IPv4 tail. */
const ipv6Bytes = (address: string): Buffer => {
  const [head = '', tail] = address.split('::');
  const groups = (text: string): readonly string[] => text.split(':').filter((group) => group !== '');
  const right = tail === undefined ? [] : groups(tail);
  const left = groups(head);
  const bytes = Buffer.alloc(16);
  for (const [index, group] of left.entries()) bytes.writeUInt16BE(parseInt(group, 16), index * 2);
  for (const [index, group] of right.entries())
    bytes.writeUInt16BE(parseInt(group, 16), (8 - right.length + index) * 2);
  return bytes;
};

/** The data of a record, if it is of that type. */
const dataOf = (record: DnsRecord, type: KnownType): Buffer | undefined => {
  if (typeof record !== 'string') {
    if (type !== 'SRV') return undefined;
    const labels = record.target.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
    return Buffer.concat([Buffer.from([0, 0, 0, 0, record.port >> 8, record.port & 255]), ...labels, Buffer.alloc(1)]);
  }
  if (type !== (record.includes(':') ? 'AAAA' : 'A')) return undefined;
  return type === 'A' ? Buffer.from(record.split('.').map(Number)) : ipv6Bytes(record);
};

const answerTo = (message: Buffer, { type, bytes }: Question, found: Answer, ttlS: number): Buffer => {
  const answers = (found ?? []).flatMap((record) => {
    const data = type === 'other' ? undefined : dataOf(record, type);
    return data === undefined || type === 'other' ? [] : [{ number: TYPES[type], data }];
  });
  const header = Buffer.alloc(HEADER_BYTES);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(found === undefined ? NO_NAME : FOUND, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  const records = answers.map(({ number, data }) => {
    const record = Buffer.alloc(12);
    // A pointer to the name in the question, then the type, class IN.
    record.writeUInt16BE(0xc000 + HEADER_BYTES, 0);
    record.writeUInt16BE(number, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(ttlS, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, bytes, ...records]);
};

/**
 * Serves names over UDP on port 53 of an address. @returns a function that stops it
 * @param ttlS seconds for which answers may be remembered
 */
export const serveDns = (address: string, lookUp: LookUp, ttlS = TTL_S): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.on('message', (message, from) => {
      const question = message.length < HEADER_BYTES ? undefined : readQuestion(message);
      if (question === undefined) return;
      void Promise.resolve(lookUp(question.name, question.type)).then((found) =>
        socket.send(answerTo(message, question, found, ttlS), from.port, from.address, () => undefined),
      );
    });
    socket.once('error', reject);
    socket.bind(53, address, () => {
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve(() => socket.close());
    });
  });
