import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Connection } from 'mongoose';
import { startLoop } from '../lifecycle';
import type { Logger } from '../logging';
import { withStore } from '../mongo';
import { createRoster } from './roster';

/** The replicas of a service that share its background work. */
export interface Replicas {
  /** How many are alive, this one included. */
  readonly count: () => number;
  /**
   * Whether this replica looks after what has an id. A hint that saves work, never a lock: while a replica comes or
   * goes two may say yes, and after one died nobody may for a few seconds.
   */
  readonly isMine: (id: string) => boolean;
  /** Leaves: the others take its share over at their next look. */
  readonly stop: () => Promise<void>;
}

/** How a replica joins. */
export interface ReplicasOptions {
  /** The database that the replicas of the service share. */
  readonly connection: Connection;
  /** Milliseconds between two signs of life: one small write and one read. */
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Where replicas give their signs of life. */
export const REPLICAS_COLLECTION = 'replicas';

interface ReplicaDocument {
  _id: string;
  /** Changes with every sign of life. */
  beat: number;
  /** The store removes what a killed replica left. */
  expireAt: Date;
}

/** Most replicas that are looked at. */
const MOST = 200;

/** Signs of life that may be missing before a replica counts as dead. */
const MISSING = 4;

/** A busy process may be late by this much without being dead. */
const LATE_MS = 2_000;

const KEPT_MS = 3_600_000;

/** Joins the replicas of a service; the first look has happened when this answers. @throws Unavailable */
export const joinReplicas = async ({ connection, everyMs, logger }: ReplicasOptions): Promise<Replicas> => {
  const self = randomBytes(9).toString('base64url');
  const roster = createRoster(self, MISSING * everyMs + LATE_MS);
  const collection = connection.collection<ReplicaDocument>(REPLICAS_COLLECTION);
  let beat = 0;

  const giveSign = async (): Promise<void> => {
    beat += 1;
    const state = { beat, expireAt: new Date(Date.now() + KEPT_MS) };
    const { matchedCount } = await collection.updateOne({ _id: self }, { $set: state });
    if (matchedCount === 0) await collection.insertOne({ _id: self, ...state });
  };
  const look = async (): Promise<void> => {
    const found = await collection.find({}, { projection: { beat: 1 }, limit: MOST }).toArray();
    roster.seen(new Map(found.map((one) => [one._id, one.beat])), performance.now());
  };
  await withStore(() => collection.createIndex({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 }));
  await withStore(giveSign);
  await withStore(look);

  const loop = startLoop({
    name: 'replicas',
    everyMs,
    logger,
    turn: async () => {
      await withStore(giveSign);
      await withStore(look);
    },
  });
  return {
    count: () => roster.count(performance.now()),
    isMine: (id) => roster.isMine(id, performance.now()),
    stop: async () => {
      await loop.stop();
      await collection.deleteOne({ _id: self }).catch(() => undefined);
    },
  };
};
