import { credentials } from '@grpc/grpc-js';
import { HealthClient } from '@weft/proto/health';
import { randomUUID } from 'node:crypto';
import { createConnection } from 'mongoose';
import { join } from 'node:path';
import { sendRequests } from '../loads/send-requests';
import { startOwnServer } from '../own-server';
import type { StackFacts } from '../stacks/stack-messages';

/** Throughput of the individual parts, on this machine and now. */
export interface Ceilings {
  /** Inserts a second of the store, 20 at a time, one document each. */
  readonly storeSingle: number;
  /** Inserts a second of the store in batches of 100. */
  readonly storeBatched: number;
  /** Unary gRPC calls a second, 50 at a time. */
  readonly grpcHop: number;
  /** GET requests a second through Express and one gRPC hop, 50 connections. */
  readonly expressHop: number;
}

const inParallel = async (
  count: number,
  parallel: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> => {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (next < count) {
        next += 1;
        await work(next);
      }
    }),
  );
  return count / ((performance.now() - began) / 1000);
};

const document = () => ({ _id: randomUUID(), state: 'queued', input: 'x'.repeat(400), createdAt: new Date() }) as const;

const measureStore = async (mongodbUri: string): Promise<Pick<Ceilings, 'storeSingle' | 'storeBatched'>> => {
  const connection = await createConnection(mongodbUri, {
    dbName: `weft_bench_${Date.now()}`,
    writeConcern: { w: 'majority', journal: true },
  }).asPromise();
  const collection = connection.collection<{ _id: string }>('documents');
  await collection.insertOne(document());
  const storeSingle = await inParallel(3_000, 20, () => collection.insertOne(document()));
  const batches = await inParallel(150, 2, () =>
    collection.insertMany(Array.from({ length: 100 }, document), { ordered: false }),
  );
  await connection.dropDatabase();
  await connection.close();
  return { storeSingle, storeBatched: batches * 100 };
};

const measureHop = async (target: string): Promise<number> => {
  const client = new HealthClient(target, credentials.createInsecure());
  const call = () =>
    new Promise<void>((resolve, reject) =>
      client.check({ service: 'liveness' }, (error) => (error === null ? resolve() : reject(error))),
    );
  await inParallel(2_000, 50, call);
  const perSecond = await inParallel(10_000, 50, call);
  client.close();
  return perSecond;
};

/** Measures the ceilings, with the store and the workflows service of a stack. */
export const measureCeilings = async ({
  mongodbUri,
  workflowsTarget,
}: Pick<StackFacts, 'mongodbUri' | 'workflowsTarget'>): Promise<Ceilings> => {
  const store = await measureStore(mongodbUri);
  const grpcHop = await measureHop(workflowsTarget);
  const hop = await startOwnServer(join(__dirname, 'hop-server-main.js'), [workflowsTarget]);
  const requests = { url: hop.url, connections: 50 };
  await sendRequests(requests, { amount: 2_000 });
  const { perSecond: expressHop } = await sendRequests(requests, { amount: 8_000 });
  await hop.stop();
  return { ...store, grpcHop, expressHop };
};
