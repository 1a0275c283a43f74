import mongoose from 'mongoose';
import { type Document, documentsOf, listOf, memberOf } from './values';

/** Sends a command to the server. @throws the error that the driver would report */
export type SendCommand = (command: Document) => Promise<Document>;

const { MongoBulkWriteError, MongoServerError } = mongoose.mongo;

const numberAt = (reply: Document, name: string): number => Number(reply[name] ?? 0);

/** Rejects as the driver does if a reply refuses the only statement. */
const checkOne = (reply: Document): Document => {
  const [refused] = documentsOf(reply['writeErrors']);
  if (refused !== undefined) throw new MongoServerError({ message: String(refused['errmsg']), ...refused });
  return reply;
};

/** Rejects as the driver does if a reply refuses statements of a batch. */
const checkAll = (reply: Document): Document => {
  const refused = documentsOf(reply['writeErrors']);
  const [first] = refused;
  if (first === undefined) return reply;
  const error = new MongoBulkWriteError(
    { message: String(first['errmsg']), code: Number(first['code']), writeErrors: [] },
    Object.create(null),
  );
  throw Object.assign(error, { writeErrors: refused });
};

/** A cursor whose documents arrive in one batch. */
class MemoryCursor {
  #fetched: Promise<Document[]> | undefined;
  #position = 0;

  constructor(
    private readonly fetch: (changes: Document) => Promise<Document[]>,
    private readonly changes: Document = {},
  ) {}

  sort(sort: Document): this {
    this.changes['sort'] = sort;
    return this;
  }

  limit(limit: number): this {
    this.changes['limit'] = limit;
    return this;
  }

  toArray(): Promise<Document[]> {
    return (this.#fetched ??= this.fetch(this.changes));
  }

  async next(): Promise<Document | null> {
    const documents = await this.toArray();
    this.#position += 1;
    return documents[this.#position - 1] ?? null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document> {
    yield* await this.toArray();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

interface Options {
  readonly sort?: Document;
  readonly skip?: number;
  readonly limit?: number;
  readonly projection?: Document;
  readonly upsert?: boolean;
  readonly arrayFilters?: readonly Document[];
  readonly ordered?: boolean;
  readonly returnDocument?: 'after' | 'before';
}

interface Statement {
  readonly filter: Document;
  readonly update: Document;
  readonly upsert?: boolean;
  readonly arrayFilters?: readonly Document[];
}

type BulkOperation =
  | { readonly updateOne: Statement }
  | { readonly updateMany: Statement }
  | { readonly insertOne: { readonly document: Document } };

const firstBatch = (reply: Document): Document[] => documentsOf(memberOf(reply['cursor'], 'firstBatch'));

const statementOf = ({ filter, update, upsert, arrayFilters }: Statement, multi: boolean): Document => ({
  q: filter,
  u: update,
  multi,
  ...(upsert === true ? { upsert } : {}),
  ...(arrayFilters === undefined ? {} : { arrayFilters }),
});

const updateResult = (reply: Document) => {
  const upserted = documentsOf(reply['upserted']);
  return {
    acknowledged: true,
    matchedCount: numberAt(reply, 'n') - upserted.length,
    modifiedCount: numberAt(reply, 'nModified'),
    upsertedCount: upserted.length,
    upsertedId: upserted[0]?.['_id'] ?? null,
  };
};

/** The methods of the driver's collection that mongoose and the services call. */
const collectionOf = (name: string, send: SendCommand) => {
  const find = (filter: Document = {}, { sort, skip, limit, projection }: Options = {}): MemoryCursor =>
    new MemoryCursor(async (changes) => firstBatch(await send({ find: name, filter, projection, ...changes })), {
      ...(sort === undefined ? {} : { sort }),
      skip: skip ?? 0,
      limit: limit ?? 0,
    });
  const update = async (statement: Statement, multi: boolean) =>
    updateResult(checkOne(await send({ update: name, updates: [statementOf(statement, multi)] })));
  const remove = async (filter: Document, limit: number) => ({
    acknowledged: true,
    deletedCount: numberAt(checkOne(await send({ delete: name, deletes: [{ q: filter, limit }] })), 'n'),
  });
  const insert = (documents: readonly Document[], ordered: boolean): Promise<Document> =>
    send({ insert: name, documents: [...documents], ordered });
  return {
    collectionName: name,
    find,
    findOne: async (filter: Document = {}, options: Options = {}) =>
      (await find(filter, { ...options, limit: 1 }).toArray())[0] ?? null,
    insertOne: async (document: Document) => {
      checkOne(await insert([document], true));
      return { acknowledged: true, insertedId: document['_id'] };
    },
    insertMany: async (documents: readonly Document[], { ordered = true }: Options = {}) => {
      checkAll(await insert(documents, ordered));
      return { acknowledged: true, insertedCount: documents.length, insertedIds: {} };
    },
    updateOne: (filter: Document, change: Document, { upsert, arrayFilters }: Options = {}) =>
      update({ filter, update: change, upsert: upsert === true, ...(arrayFilters && { arrayFilters }) }, false),
    updateMany: (filter: Document, change: Document) => update({ filter, update: change }, true),
    bulkWrite: async (operations: readonly BulkOperation[], { ordered = true }: Options = {}) => {
      const documents = operations.flatMap((one) => ('insertOne' in one ? [one.insertOne.document] : []));
      if (documents.length > 0) checkAll(await insert(documents, ordered));
      const updates = operations.flatMap((one) => {
        if ('updateOne' in one) return [statementOf(one.updateOne, false)];
        return 'updateMany' in one ? [statementOf(one.updateMany, true)] : [];
      });
      if (updates.length === 0) return { ok: 1, insertedCount: documents.length, matchedCount: 0, modifiedCount: 0 };
      const reply = checkAll(await send({ update: name, updates, ordered }));
      return { ok: 1, insertedCount: documents.length, ...updateResult(reply) };
    },
    findOneAndUpdate: async (query: Document, change: Document, { returnDocument, projection }: Options = {}) =>
      (
        await send({
          findAndModify: name,
          query,
          update: change,
          new: returnDocument === 'after',
          ...(projection === undefined ? {} : { fields: projection }),
        })
      )['value'] ?? null,
    deleteOne: (filter: Document) => remove(filter, 1),
    deleteMany: (filter: Document) => remove(filter, 0),
    countDocuments: async (query: Document = {}, { limit = 0 }: Options = {}) =>
      numberAt(await send({ count: name, query, limit }), 'n'),
    estimatedDocumentCount: async () => numberAt(await send({ count: name, query: {} }), 'n'),
    distinct: async (key: string, query: Document = {}) =>
      listOf((await send({ distinct: name, key, query }))['values']),
    aggregate: (pipeline: readonly Document[]) =>
      new MemoryCursor(async () => firstBatch(await send({ aggregate: name, pipeline: [...pipeline] }))),
    createIndexes: (indexes: readonly Document[]) => send({ createIndexes: name, indexes: [...indexes] }),
    createIndex: (key: Document, options: Document) => send({ createIndexes: name, indexes: [{ key, ...options }] }),
    dropIndex: (index: string) => send({ dropIndexes: name, index }),
    indexes: async () => firstBatch(await send({ listIndexes: name })),
  };
};

/** A database as mongoose and the services use it, over commands. */
const databaseOf = (send: SendCommand) => ({
  databaseName: 'simulated',
  collection: (name: string) => collectionOf(name, send),
  command: send,
  listCollections: () => new MemoryCursor(async () => firstBatch(await send({ listCollections: 1 }))),
  admin: () => ({ ping: () => send({ ping: 1 }), command: send }),
});

/** A connection of mongoose that sends its commands by a function instead of a socket. */
export const openConnection = (send: SendCommand): mongoose.Connection => {
  const connection = mongoose.createConnection();
  Object.assign(connection, { db: databaseOf(send), readyState: mongoose.ConnectionStates.connected });
  return connection;
};
