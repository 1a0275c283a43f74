import mongoose from 'mongoose';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from './proxy';
import { testMongodbUri } from './servers';

const { BSON } = mongoose.mongo;

/** How the store fails. */
export interface StoreFault {
  /** The code that it responds with. */
  readonly code: number;
  /** Names of the commands that fail; absent: all that read or write documents. */
  readonly commands?: readonly string[];
  /** The command is carried out, and its response replaced. Default: it never reaches the server. */
  readonly isApplied?: boolean;
  /** Rows are refused one by one, in a response that is otherwise good. Default: the command fails. */
  readonly refusesRows?: boolean;
  /** Share of the commands that fail, from 0 to 1. Default: 1. */
  readonly share?: number;
}

/** A proxy of a store that rewrites responses. */
export interface FailingProxy {
  /** Of 127.0.0.1. */
  readonly port: number;
  /** Begins to fail like this; undefined: stops failing. */
  readonly fail: (fault: StoreFault | undefined) => void;
  /** Number of responses that were replaced. */
  readonly failures: () => number;
  readonly close: () => Promise<void>;
}

/** A proxy of the test run's store. */
export interface StoreProxy extends FailingProxy {
  /** Address of the store by the proxy. */
  readonly uri: string;
}

const OP_MSG = 2_013;
const HEADER_BYTES = 16;
const BODY_AT = HEADER_BYTES + 5;

/** Commands that read or write documents. */
const COMMANDS: readonly string[] = ['find', 'getMore', 'insert', 'update', 'delete', 'findAndModify', 'aggregate'];

/** Calls `take` with each whole message of a connection. */
const messagesOf = (socket: Socket, take: (message: Buffer) => void): void => {
  let held = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= 4 && held.length >= held.readInt32LE(0)) {
      const length = held.readInt32LE(0);
      take(held.subarray(0, length));
      held = held.subarray(length);
    }
  });
};

/** The command in a message of the driver; undefined if it is of another kind. */
const commandOf = (message: Buffer): Record<string, unknown> | undefined =>
  message.readInt32LE(12) === OP_MSG && message[HEADER_BYTES + 4] === 0
    ? BSON.deserialize(message.subarray(BODY_AT, BODY_AT + message.readInt32LE(BODY_AT)))
    : undefined;

/** Number of rows in a command: the driver sends them in the command, or in a separate section. */
const rowsIn = (message: Buffer, command: Record<string, unknown>): number => {
  const listed = command['documents'] ?? command['updates'] ?? command['deletes'];
  if (Array.isArray(listed)) return listed.length;
  let rows = 0;
  let at = BODY_AT + message.readInt32LE(BODY_AT);
  while (at < message.length && message[at] === 1) {
    const end = at + 1 + message.readInt32LE(at + 1);
    let document = message.indexOf(0, at + 5) + 1;
    for (; document < end; document += message.readInt32LE(document)) rows += 1;
    at = end;
  }
  return rows;
};

const answerTo = (requestId: number, document: object): Buffer => {
  const body = BSON.serialize(document);
  const message = Buffer.alloc(BODY_AT + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(requestId, 8);
  message.writeInt32LE(OP_MSG, 12);
  message.set(body, BODY_AT);
  return message;
};

const failureOf = ({ code, refusesRows = false }: StoreFault, rows: number): object => {
  const errmsg = `code ${code}, by the proxy`;
  if (!refusesRows || rows === 0) return { ok: 0, code, errmsg };
  return {
    ok: 1,
    n: 0,
    nModified: 0,
    writeErrors: Array.from({ length: rows }, (_, index) => ({ index, code, errmsg })),
  };
};

/** Starts a proxy of a MongoDB that has one server and speaks plain TCP. */
export const startFailingProxy = async (storePort: number, storeHost = '127.0.0.1'): Promise<FailingProxy> => {
  const open = new Set<Socket>();
  let fault: StoreFault | undefined;
  let failures = 0;
  const server = createServer((client) => {
    const store = connect(storePort, storeHost);
    /** Replacements of responses to commands that were passed on. */
    const replaced = new Map<number, Buffer>();
    for (const socket of [client, store]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        store.destroy();
      });
    }
    messagesOf(client, (message) => {
      const command = fault === undefined ? undefined : commandOf(message);
      const [name = ''] = Object.keys(command ?? {});
      const { commands = COMMANDS, share = 1 } = fault ?? {};
      if (fault === undefined || command === undefined || !commands.includes(name) || Math.random() >= share)
        return void store.write(message);
      failures += 1;
      const requestId = message.readInt32LE(4);
      const answer = answerTo(requestId, failureOf(fault, rowsIn(message, command)));
      if (fault.isApplied !== true) return void client.write(answer);
      replaced.set(requestId, answer);
      store.write(message);
    });
    messagesOf(store, (message) => {
      const requestId = message.readInt32LE(8);
      client.write(replaced.get(requestId) ?? message);
      replaced.delete(requestId);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server.address()),
    fail: (next) => {
      fault = next;
    },
    failures: () => failures,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
};

/** Starts a proxy of the test run's MongoDB. */
export const startStoreProxy = async (): Promise<StoreProxy> => {
  const uri = new URL(testMongodbUri());
  const proxy = await startFailingProxy(Number(uri.port), uri.hostname);
  uri.host = `127.0.0.1:${proxy.port}`;
  uri.searchParams.set('directConnection', 'true');
  return { ...proxy, uri: uri.toString() };
};
