import { createRequire } from 'node:module';
import type * as Driver from 'mongodb';
import type { Collection, Db, MongoClient, SortDirection } from 'mongodb';
import { startDeadline } from '../http/deadline';
import { describeFailure, systemFailure } from '../http/describe-failure';
import type { OpenSocket } from '../mail/mail-sender';
import { OutboundError } from '../http/outbound-http';
import { BoundedSession } from '../sessions/bounded-session';
import { ByteMeter } from '../sessions/byte-meter';
import {
  DatabaseFailed,
  type MongoArrayChange,
  type MongoChange,
  type MongoDocument,
  type MongoServer,
  type MongoSession,
  type QueryBounds,
  QueryTooLarge,
} from './databases';
import { checkedAddress, optionsFor } from './mongo-options';
import { SocksRelay, type Unreachable } from './socks-relay';

const loadLate = createRequire(__filename);
/** Loaded on first use: the driver has many modules, and few runners need it. */
const driver = (): typeof Driver => loadLate('mongodb');

/** Documents per batch; others get the thread between batches. */
const BATCH = 500;
const ORDERS = [1, -1, 'asc', 'desc', 'ascending', 'descending'] as const;

/** Opens a session with a MongoDB server or a replica set. */
export async function openMongo(
  openSocket: OpenSocket,
  server: MongoServer,
  bounds: QueryBounds,
  signal: AbortSignal,
): Promise<MongoSession> {
  const { url, host, servers } = checkedAddress(server.url);
  const relay = await SocksRelay.start(openSocket, new ByteMeter(bounds));
  const session = new BoundedSession({ host, bounds, signal }, relay);
  endIfNoneIsReached(relay, session, servers, bounds, signal);
  let client: MongoClient | undefined;
  const close = (): void => {
    session.end();
    client?.close().catch(() => undefined);
  };
  try {
    const opened = new (driver().MongoClient)(url, optionsFor(relay, server, bounds));
    client = opened;
    relay.once('close', () => void opened.close().catch(() => undefined));
    await session.login(() => opened.connect());
    return sessionOf(session, opened.db(server.database === '' ? undefined : server.database), { bounds, host, close });
  } catch (error) {
    close();
    throw failed(error, host);
  }
}

/** The driver retries until its time limit. If no server can be reached at all, the session fails at once. */
function endIfNoneIsReached(
  relay: SocksRelay,
  session: BoundedSession,
  servers: number | undefined,
  { connectMs }: QueryBounds,
  signal: AbortSignal,
): void {
  const failures = new Set<string>();
  relay.on('unreachable', ({ host, port, error }: Unreachable) => {
    failures.add(`${host}:${port}`);
    if (relay.hasReached || servers === undefined || failures.size < servers) return;
    const deadline = startDeadline(connectMs, signal);
    session.end(describeFailure(error, host, deadline));
    deadline.end();
  });
}

interface Opened {
  readonly bounds: QueryBounds;
  readonly host: string;
  readonly close: () => void;
}

function sessionOf(session: BoundedSession, db: Db, { bounds, host, close }: Opened): MongoSession {
  const ask = async <Result>(
    name: string,
    work: (collection: Collection<Record<string, unknown>>) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await session.query(() => work(db.collection(name)));
    } catch (error) {
      if (error instanceof QueryTooLarge) session.end(error);
      throw failed(error, host);
    }
  };
  const limits = { maxTimeMS: bounds.queryMs, batchSize: BATCH };
  const rows = (cursor: AsyncIterable<MongoDocument>): Promise<MongoDocument[]> => collect(cursor, bounds.maxRows);
  return {
    find: (name, { filter, limit, skip, sort, projection }) =>
      ask(name, (collection) =>
        rows(
          collection.find(filter, {
            ...limits,
            limit,
            skip,
            ...(sort === undefined
              ? {}
              : { sort: new Map(Object.entries(sort).map(([field, by]) => [field, orderOf(by)])) }),
            ...(projection === undefined ? {} : { projection }),
          }),
        ),
      ),
    aggregate: (name, pipeline) =>
      ask(name, (collection) =>
        rows(
          collection.aggregate(
            pipeline.map((stage) => ({ ...stage })),
            limits,
          ),
        ),
      ),
    deleteMany: (name, filter) => ask(name, async (collection) => (await collection.deleteMany(filter)).deletedCount),
    insertMany: (name, documents) =>
      ask(name, async (collection) => {
        const { insertedIds } = await collection.insertMany(documents.map((document) => ({ ...document })));
        return documents.map((_, index) => insertedIds[index]);
      }),
    change: (name, how, change) => ask(name, (collection) => changeOne(collection, how, change)),
    updateAll: (name, changes, ordered) => ask(name, (collection) => updateAll(collection, changes, ordered)),
    changeArray: (name, change) => ask(name, () => changeArray(db, name, change)),
    listSearchIndexes: (name, index) =>
      ask(name, (collection) =>
        rows(index === undefined ? collection.listSearchIndexes() : collection.listSearchIndexes(index)),
      ),
    createSearchIndex: (name, index) =>
      ask(name, async (collection) => void (await collection.createSearchIndex({ ...index }))),
    updateSearchIndex: (name, index, definition) =>
      ask(name, (collection) => collection.updateSearchIndex(index, definition)),
    dropSearchIndex: (name, index) => ask(name, (collection) => collection.dropSearchIndex(index)),
    close,
  };
}

async function collect(cursor: AsyncIterable<MongoDocument>, maxRows: number): Promise<MongoDocument[]> {
  const documents: MongoDocument[] = [];
  for await (const document of cursor) {
    if (documents.length >= maxRows) throw new QueryTooLarge('rows');
    documents.push(document);
  }
  return documents;
}

async function changeOne(
  collection: Collection<Record<string, unknown>>,
  how: 'findOneAndReplace' | 'findOneAndUpdate' | 'updateOne',
  { filter, document, upsert }: MongoChange,
): Promise<void> {
  switch (how) {
    case 'findOneAndReplace':
      await collection.findOneAndReplace(filter, { ...document }, { upsert });
      return;
    case 'findOneAndUpdate':
      await collection.findOneAndUpdate(filter, { $set: document }, { upsert });
      return;
    case 'updateOne':
      await collection.updateOne(filter, { $set: document }, { upsert });
  }
}

/** As a command, since the types of the driver know no fields whose names are variables. */
async function changeArray(
  db: Db,
  collection: string,
  { filter, field, values, replaces, keep, inserted }: MongoArrayChange,
): Promise<boolean> {
  const push = { $each: values, ...(keep === undefined ? {} : { $slice: keep }) };
  const update = {
    ...(replaces ? { $set: { [field]: values } } : { $push: { [field]: push } }),
    ...(inserted === undefined ? {} : { $setOnInsert: inserted }),
  };
  const updates = [{ q: filter, u: update, upsert: inserted !== undefined }];
  const { n, writeErrors } = await db.command({ update: collection, updates });
  const [failure] = Array.isArray(writeErrors) ? writeErrors : [];
  if (failure !== undefined) throw new DatabaseFailed(String(failure.errmsg), String(failure.code));
  return Number(n) > 0;
}

async function updateAll(
  collection: Collection<Record<string, unknown>>,
  changes: readonly MongoChange[],
  ordered: boolean,
): Promise<ReadonlyMap<number, string>> {
  const updates = changes.map(({ filter, document, upsert }) => ({
    updateOne: { filter, update: { $set: document }, upsert },
  }));
  try {
    await collection.bulkWrite(updates, { ordered });
    return new Map();
  } catch (error) {
    if (ordered || !(error instanceof driver().MongoBulkWriteError)) throw error;
    const failures = [error.writeErrors]
      .flat()
      .map(({ index, errmsg }): [number, string] => [index, errmsg ?? error.message]);
    if (failures.length === 0) throw error;
    return new Map(failures);
  }
}

/** An object id. @throws DatabaseFailed for invalid text */
export function mongoIdOf(text: string): unknown {
  const { ObjectId } = driver();
  if (ObjectId.isValid(text) && text.length === 24) return new ObjectId(text);
  throw new DatabaseFailed('An object id must be 24 hexadecimal digits', 'OBJECT_ID');
}

/** The bytes of a value of a document; undefined for a value of another type. */
export function mongoBytesOf(value: unknown): Uint8Array | undefined {
  return value instanceof driver().Binary ? value.value() : undefined;
}

/** Converts an error of the server or the driver. */
function failed(error: unknown, host: string): unknown {
  const { BSON, MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } = driver();
  if (error instanceof MongoServerError)
    return new DatabaseFailed(error.message, String(error.codeName ?? error.code ?? ''));
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError)
    return (
      causes(error)
        .map((one) => systemFailure(one, host))
        .find((one) => one !== undefined) ?? unreachable(host)
    );
  if (error instanceof MongoError || BSON.BSONError.isBSONError(error))
    return new DatabaseFailed(error.message, error.name);
  // the library goes through documents by recursion
  if (error instanceof RangeError) return new DatabaseFailed('A document is nested too deeply', 'NESTING');
  return error;
}

/** An error, what caused it, and so on. */
function causes(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let one = error; one instanceof Error && found.length < 8; one = one.cause) found.push(one);
  return found;
}

function unreachable(host: string): OutboundError {
  return new OutboundError('CONNECTION_LOST', `The connection to the database failed (host "${host}").`);
}

/** The order of a field, as the driver takes it. @throws DatabaseFailed for anything else */
function orderOf(order: unknown): SortDirection {
  const known = ORDERS.find((one) => one === order);
  if (known !== undefined) return known;
  if (typeof order === 'object' && order !== null && '$meta' in order && typeof order.$meta === 'string')
    return { $meta: order.$meta };
  throw new DatabaseFailed(`Invalid sort direction: ${JSON.stringify(order)}`, 'SORT');
}
