import { aggregate } from './aggregate';
import { MemoryCollection, type MemoryIndex, type OnChange, projected, StoreRefusal } from './collection';
import { copyOfDocument, type Document, documentsOf, isDocument, type Value, valuesAt } from './values';

/** A MongoDB-compatible server in memory: it executes the commands that the services send. */
export interface MemoryServer {
  /** Executes one command on a database at once. @throws StoreRefusal; Error for a command that is not implemented */
  readonly run: (database: string, command: Document) => Document;
  readonly collection: (database: string, name: string) => MemoryCollection;
}

const documentOf = (value: Value): Document => (isDocument(value) ? value : {});
const numberOf = (value: Value): number => (typeof value === 'number' ? value : Number(value ?? 0));
const NAMESPACE_NOT_FOUND = 26;

const cursorOf = (namespace: string, documents: readonly Document[]): Document => ({
  cursor: { id: 0n, ns: namespace, firstBatch: documents },
  ok: 1,
});

/** Runs a statement for each entry; refusals are reported for each, as in an unordered batch. */
const each = (
  entries: readonly Document[],
  isOrdered: boolean,
  run: (entry: Document, index: number) => void,
): Document => {
  const writeErrors: Document[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      run(entry, index);
    } catch (error) {
      if (!(error instanceof StoreRefusal)) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message });
      if (isOrdered) break;
    }
  }
  return writeErrors.length === 0 ? {} : { writeErrors };
};

type Run = (database: string, name: string, command: Document) => Document;

const writesOf = (at: (database: string, name: string) => MemoryCollection): Readonly<Record<string, Run>> => ({
  insert: (database, name, { documents, ordered }) => {
    let n = 0;
    const errors = each(documentsOf(documents), ordered !== false, (document) => {
      at(database, name).insert(document);
      n += 1;
    });
    return { n, ...errors, ok: 1 };
  },
  update: (database, name, { updates, ordered }) => {
    let n = 0;
    const upserted: Document[] = [];
    const errors = each(documentsOf(updates), ordered !== false, ({ q, u, multi, upsert, arrayFilters }, index) => {
      const { matched, upsertedId } = at(database, name).update({
        q: documentOf(q),
        u: documentOf(u),
        multi: multi === true,
        upsert: upsert === true,
        arrayFilters: documentsOf(arrayFilters),
      });
      n += matched + (upsertedId === undefined ? 0 : 1);
      if (upsertedId !== undefined) upserted.push({ index, _id: upsertedId });
    });
    return { n, nModified: n - upserted.length, ...(upserted.length === 0 ? {} : { upserted }), ...errors, ok: 1 };
  },
  delete: (database, name, { deletes }) => {
    let n = 0;
    for (const { q, limit } of documentsOf(deletes)) n += at(database, name).remove(documentOf(q), numberOf(limit));
    return { n, ok: 1 };
  },
  findAndModify: (database, name, { query, update, new: isNew, arrayFilters, fields }) => {
    const collection = at(database, name);
    const [found] = collection.find({ filter: documentOf(query), limit: 1 });
    if (found === undefined) return { value: null, lastErrorObject: { n: 0, updatedExisting: false }, ok: 1 };
    const changed = collection.change(found, { u: documentOf(update), arrayFilters: documentsOf(arrayFilters) });
    const value = projected(isNew === true ? changed : found, documentOf(fields));
    return { value, lastErrorObject: { n: 1, updatedExisting: true }, ok: 1 };
  },
});

const readsOf = (at: (database: string, name: string) => MemoryCollection): Readonly<Record<string, Run>> => ({
  find: (database, name, { filter, sort, skip, limit, projection }) => {
    const search = { filter: documentOf(filter), skip: numberOf(skip), limit: numberOf(limit), sort: documentOf(sort) };
    const found = at(database, name).find(search);
    return cursorOf(
      `${database}.${name}`,
      found.map((document) => projected(document, documentOf(projection))),
    );
  },
  count: (database, name, { query, limit }) => ({
    n: at(database, name).find({ filter: documentOf(query), limit: numberOf(limit) }).length,
    ok: 1,
  }),
  aggregate: (database, name, { pipeline }) =>
    cursorOf(
      `${database}.${name}`,
      aggregate(at(database, name).find({ filter: {} }), documentsOf(pipeline)).map(copyOfDocument),
    ),
  distinct: (database, name, { key, query }) => ({
    values: [
      ...new Set(
        at(database, name)
          .find({ filter: documentOf(query) })
          .flatMap((document) => valuesAt(document, String(key).split('.'))),
      ),
    ],
    ok: 1,
  }),
});

const toIndex = ({ name, key, unique, partialFilterExpression }: Document): MemoryIndex => ({
  name: String(name),
  key: documentOf(key),
  ...(unique === true ? { unique } : {}),
  ...(isDocument(partialFilterExpression) ? { partialFilterExpression } : {}),
});

/**
 * Creates a server without content.
 * @param clock Unix milliseconds of the server
 * @param onChange called within the command that changes a document
 */
export const createMemoryServer = (clock: () => number, onChange: OnChange = () => undefined): MemoryServer => {
  const databases = new Map<string, Map<string, MemoryCollection>>();
  const collectionsOf = (database: string): Map<string, MemoryCollection> => {
    const found = databases.get(database) ?? new Map<string, MemoryCollection>();
    databases.set(database, found);
    return found;
  };
  const at = (database: string, name: string): MemoryCollection => {
    const collections = collectionsOf(database);
    const found = collections.get(name) ?? new MemoryCollection(name, onChange);
    collections.set(name, found);
    return found;
  };
  const commands: Readonly<Record<string, Run>> = {
    ...writesOf(at),
    ...readsOf(at),
    createIndexes: (database, name, { indexes }) => {
      for (const index of documentsOf(indexes)) at(database, name).addIndex(toIndex(index));
      return { ok: 1 };
    },
    listIndexes: (database, name) => {
      if (!collectionsOf(database).has(name)) throw new StoreRefusal(NAMESPACE_NOT_FOUND, 'ns does not exist');
      return cursorOf(
        `${database}.${name}`,
        at(database, name).indexes.map((index) => ({ ...index })),
      );
    },
    dropIndexes: (database, name, { index }) => {
      const { indexes } = at(database, name);
      const position = indexes.findIndex((one) => one.name === index);
      if (position === -1) throw new StoreRefusal(27, 'index not found');
      indexes.splice(position, 1);
      return { ok: 1 };
    },
    listCollections: (database) =>
      cursorOf(
        `${database}.$cmd.listCollections`,
        [...collectionsOf(database).keys()].map((name) => ({ name, type: 'collection' })),
      ),
    dropDatabase: (database) => {
      databases.delete(database);
      return { ok: 1 };
    },
    collStats: () => ({ storageSize: 0, totalIndexSize: 0, ok: 1 }),
    ping: () => ({ ok: 1 }),
    endSessions: () => ({ ok: 1 }),
    hello: () => ({ isWritablePrimary: true, localTime: new Date(clock()), ok: 1 }),
  };
  return {
    collection: at,
    run: (database, command) => {
      const [[name, target] = ['', undefined]] = Object.entries(command);
      const run = commands[name];
      if (run === undefined) throw new StoreRefusal(59, `no such command: '${name}'`);
      return run(database, String(target), command);
    },
  };
};
