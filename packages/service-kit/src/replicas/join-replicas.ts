import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Connection } from 'mongoose';
import { startLoop } from '../lifecycle';
import type { Logger } from '../logging';
import { withStore } from '../mongo';
import { createRoster } from './roster';

/** Replicas of a service that share its background work. */
export interface Replicas {
  /** Number of live replicas, this one included. */
  readonly count: () => number;
  /**
   * True if this replica is responsible for an id. An optimization, never a lock: while a replica joins or leaves two
   * may be responsible, and after one died none may be for a few seconds.
   */
  readonly isMine: (id: string) => boolean;
  /** Leaves; the others take over its share at their next poll. */
  readonly stop: () => Promise<void>;
}

export interface ReplicasOptions {
  /** The database that the replicas of the service share. */
  readonly connection: Connection;
  /** Milliseconds between two heartbeats, each one small write and one read. */
  readonly everyMs: number;
  readonly logger: Logger;
}

export const REPLICAS_COLLECTION = 'replicas';

interface ReplicaDocument {
  _id: string;
  /** Incremented by every heartbeat. */
  beat: number;
  /** Expiry of the document of a killed replica. */
  expireAt: Date;
}

/** Maximum number of replicas read. */
const MAX_REPLICAS = 200;

/** A replica without others sends only every fourth heartbeat, and reads the others as rarely. */
const ALONE_EVERY = 4;

/** Missed heartbeats after which a replica counts as dead. */
const MAX_MISSED = 4;

/** Tolerated delay of the heartbeat of a busy process. */
const TOLERANCE_MS = 2_000;

/** Tolerance for distinguishing a replica that reads other heartbeats from one that believes it is the only replica. */
const SHARING_TOLERANCE_MS = 1_000;

/** Retention of the document of a killed replica. */
const RETENTION_MS = 3_600_000;

/** Joins the replicas of a service; resolves after the first poll. @throws Unavailable */
export const joinReplicas = async ({ connection, everyMs, logger }: ReplicasOptions): Promise<Replicas> => {
  const self = randomBytes(9).toString('base64url');
  const roster = createRoster(self, {
    aliveMs: MAX_MISSED * everyMs + TOLERANCE_MS,
    sharesMs: (ALONE_EVERY - 1) * everyMs + SHARING_TOLERANCE_MS,
  });
  const collection = connection.collection<ReplicaDocument>(REPLICAS_COLLECTION);
  let beat = 0;

  const sendHeartbeat = async (): Promise<void> => {
    beat += 1;
    const state = { beat, expireAt: new Date(Date.now() + RETENTION_MS) };
    const { matchedCount } = await collection.updateOne({ _id: self }, { $set: state });
    if (matchedCount === 0) await collection.insertOne({ _id: self, ...state });
  };
  const poll = async (): Promise<void> => {
    const found = await collection.find({}, { projection: { beat: 1 }, limit: MAX_REPLICAS }).toArray();
    roster.seen(new Map(found.map((one) => [one._id, one.beat])), performance.now());
  };
  await withStore(() => collection.createIndex({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 }));
  await withStore(sendHeartbeat);
  await withStore(poll);
  const count = (): number => roster.count(performance.now());
  let skipped = 0;

  const loop = startLoop({
    name: 'replicas',
    everyMs,
    logger,
    tick: async () => {
      skipped += 1;
      if (count() === 1 && skipped < ALONE_EVERY) return;
      skipped = 0;
      await withStore(sendHeartbeat);
      await withStore(poll);
    },
  });
  return {
    count,
    isMine: (id) => roster.isMine(id, performance.now()),
    stop: async () => {
      await loop.stop();
      await collection.deleteOne({ _id: self }).catch(() => undefined);
    },
  };
};
