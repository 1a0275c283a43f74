import { createRequire } from 'node:module';
import type * as Driver from 'mongodb';
import { StackError, messageOf } from '../errors';
import { waitUntil } from '../wait-until';

const loadLate = createRequire(__filename);
const PING_LIMIT_MS = 1_000;
const READY_LIMIT_MS = 30_000;

/** Pings a MongoDB; undefined if it answers, else the error. */
export async function ping(uri: string, limitMs = PING_LIMIT_MS): Promise<string | undefined> {
  // loaded only now, so that it happens while the server starts
  const { MongoClient }: typeof Driver = loadLate('mongodb');
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: limitMs,
    connectTimeoutMS: limitMs,
    socketTimeoutMS: limitMs,
  });
  try {
    await client.db('admin').command({ ping: 1 });
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    await client.close();
  }
}

/**
 * Waits until the server on that port of 127.0.0.1 answers a ping. Throws a sentence after 30 s.
 *
 * @param check throws when waiting has become pointless.
 */
export async function waitForMongodb(port: number, check: () => void): Promise<void> {
  const uri = `mongodb://127.0.0.1:${port}`;
  let reason: string | undefined;
  const isReady = async (): Promise<boolean> => {
    check();
    reason = await ping(uri);
    return reason === undefined;
  };
  if (!(await waitUntil(isReady, { limitMs: READY_LIMIT_MS }))) {
    throw new StackError(`The database on ${uri} did not get ready within ${READY_LIMIT_MS / 1000} s: ${reason}`);
  }
}
