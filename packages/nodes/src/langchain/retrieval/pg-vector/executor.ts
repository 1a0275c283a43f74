import { type NodeContext, NodeFailure } from '@weft/engine';
import { isJsonObject } from '@weft/node-catalogue';
import { DatabaseFailed, type SqlSession } from '@weft/outbound';
import { openPostgresSession } from '../../../postgres/session';
import { choiceParameter } from '../../../shared/read-parameter';
import { inSession, parsedJson } from '../../memory/shared-store';
import { inBatches } from '../vector-store/batches';
import { storeExecutor } from '../vector-store/store-executor';
import { metadataFilter } from '../vector-store/store-parameters';
import {
  BEGIN_SETUP,
  COLLECTION_COLUMN,
  columnsOf,
  createCollections,
  createTable,
  findCollection,
  findLength,
  insertCollection,
  insertRows,
  plain,
  searchRows,
} from './statements';
import { tableOf, type VectorTable } from './table';
import { rowOf } from './vector-row';

const CONNECT_MS = 30_000;
const BOUNDS = { documents: 100, characters: 4_000_000 };
/** Types of ids that a UUID fits. */
const ID_TYPES = /^(?:uuid|text|character varying.*)$/;
/** A column for vectors of any length, as n8n creates it: vectors of two lengths would make all searches fail. */
const ANY_LENGTH = 'vector';
/** Cosine distance of a vector without a direction, for which pgvector has no number. */
const NO_DISTANCE = 1;
/** Codes of the server: the extension is not installed, or may not be. */
const NO_EXTENSION: readonly string[] = ['0A000', '42501', '42704', '58P01'];

/** Stores documents in a table of PostgreSQL with pgvector. */
export const vectorStorePGVector = storeExecutor('vectorStorePGVector', {
  insert: (context, itemIndex, documents) => {
    const table = tableOf(context, itemIndex);
    if (documents.length === 0) return Promise.resolve();
    return withSession(context, itemIndex, async (session) => {
      const types = await prepare(session, table);
      const collection = await collectionOf(session, table);
      if (types.get(table.columns.vector) === ANY_LENGTH)
        await checkLength(session, table, collection, documents[0]?.vector.length ?? 0);
      await session.run(plain('BEGIN'));
      await inBatches(context, documents, BOUNDS, rowOf, (rows) =>
        session.run(insertRows(table, rows, ID_TYPES.test(types.get(table.columns.id) ?? ''), collection)),
      );
      await session.run(plain('COMMIT'));
    });
  },
  search: (context, itemIndex, search) => {
    const table = tableOf(context, itemIndex);
    const distance = choiceParameter(
      context,
      'options.distanceStrategy',
      itemIndex,
      ['cosine', 'innerProduct', 'euclidean'],
      'cosine',
    );
    const filter = metadataFilter(context, itemIndex) ?? {};
    return withSession(context, itemIndex, async (session) => {
      const types = await typesOf(session, table);
      if (types.size === 0)
        throw new NodeFailure(`Table ${table.table.join('.')} not found`, {
          itemIndex,
          description: 'Check the name of the table, or insert documents first.',
        });
      const collection = types.has(COLLECTION_COLUMN) ? await collectionOf(session, table) : undefined;
      if (table.collection !== undefined && collection === undefined) return [];
      const [result] = await session.run(searchRows(table, search, distance, filter, collection));
      return (result?.rows ?? []).map((row) => {
        const metadata = parsedJson(row['metadata']);
        return {
          id: String(row['id'] ?? ''),
          pageContent: String(row['content'] ?? ''),
          metadata: metadata !== undefined && isJsonObject(metadata) ? metadata : {},
          score: distanceOf(row['distance']),
        };
      });
    });
  },
});

/** Without a negative zero. */
function distanceOf(value: unknown): number {
  const distance = Number(value) + 0;
  return Number.isFinite(distance) ? distance : NO_DISTANCE;
}

/** @throws NodeFailure if the rows have vectors of another length */
async function checkLength(
  session: SqlSession,
  table: VectorTable,
  collection: string | undefined,
  length: number,
): Promise<void> {
  const [result] = await session.run(findLength(table, collection));
  const stored = result?.rows[0]?.['length'];
  if (stored === undefined || Number(stored) === length) return;
  throw new NodeFailure(`Table ${table.table.join('.')} has vectors of ${String(stored)} numbers, not of ${length}`, {
    description: 'Use the embedding model with which its rows were embedded, another table, or another collection.',
  });
}

const withSession = <Result>(
  context: NodeContext,
  itemIndex: number,
  work: (session: SqlSession) => Promise<Result>,
): Promise<Result> =>
  inSession(
    () => openPostgresSession(context, { datesAsText: true, largeNumbers: true }, CONNECT_MS),
    itemIndex,
    async (session) => {
      try {
        return await work(session);
      } catch (thrown) {
        if (!(thrown instanceof DatabaseFailed) || !/dimensions/.test(thrown.message)) throw thrown;
        throw new NodeFailure(thrown.message, {
          itemIndex,
          description: 'Use the embedding model with which the rows of the table were embedded.',
          cause: thrown,
        });
      }
    },
  );

/** Types of the columns of a table, by name; empty if there is no such table. */
async function typesOf(session: SqlSession, { table }: VectorTable): Promise<ReadonlyMap<string, string>> {
  const [result] = await session.run(columnsOf(table));
  return new Map((result?.rows ?? []).map(({ name, type }) => [String(name), String(type)]));
}

/** Creates the table, and what it needs for its collection, if they are missing. */
async function prepare(session: SqlSession, table: VectorTable): Promise<ReadonlyMap<string, string>> {
  const found = await typesOf(session, table);
  const { collection } = table;
  const hasCollection =
    collection === undefined || (found.has(COLLECTION_COLUMN) && (await collectionOf(session, table)) !== undefined);
  if (found.size > 0 && hasCollection) return found;
  await session.run(BEGIN_SETUP);
  if (found.size === 0) {
    await createExtension(session);
    await session.run(createTable(table));
  }
  if (collection !== undefined) {
    for (const statement of createCollections(table, collection.table, found.has(COLLECTION_COLUMN)))
      await session.run(statement);
    if ((await collectionOf(session, table)) === undefined)
      await session.run(insertCollection(collection.table, collection.name));
  }
  await session.run(plain('COMMIT'));
  return typesOf(session, table);
}

/** @throws NodeFailure if the server does not have pgvector */
async function createExtension(session: SqlSession): Promise<void> {
  try {
    await session.run(plain('CREATE EXTENSION IF NOT EXISTS vector'));
  } catch (thrown) {
    if (!(thrown instanceof DatabaseFailed) || !NO_EXTENSION.includes(thrown.code)) throw thrown;
    throw new NodeFailure(`The database has no extension "vector": ${thrown.message}`, {
      description: 'Install pgvector on the server, and let an administrator run CREATE EXTENSION vector.',
      cause: thrown,
    });
  }
}

/** The id of the collection of a table; undefined if it has none, or there is no such collection. */
async function collectionOf(session: SqlSession, { collection }: VectorTable): Promise<string | undefined> {
  if (collection === undefined) return undefined;
  const [tables] = await session.run(columnsOf(collection.table));
  if ((tables?.rows ?? []).length === 0) return undefined;
  const [result] = await session.run(findCollection(collection.table, collection.name));
  const uuid = result?.rows[0]?.['uuid'];
  return uuid === undefined ? undefined : String(uuid);
}
