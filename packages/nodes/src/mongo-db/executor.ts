import { isJsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { type MongoDocument, mongoIdOf, type MongoSession } from '@weft/outbound';
import { type MadeItem, mapItems, withOrigin } from '../shared/each-item';
import { choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { databaseFailure } from '../shared/sql/sql-failure';
import { itemOf } from './documents';
import { objectOf, queryOf, type QuerySource } from './query';
import { openMongoSession } from './session';
import { insertDocuments, writeDocuments } from './write-documents';

const READS = ['aggregate', 'delete', 'find'] as const;
const WRITES = ['findOneAndReplace', 'findOneAndUpdate', 'insert', 'update'] as const;
const INDEXES = ['createSearchIndex', 'dropSearchIndex', 'listSearchIndexes', 'updateSearchIndex'] as const;
const MONGO_ID = '_id';

type ItemOperation = (typeof READS)[number] | (typeof INDEXES)[number];

/** Reads and writes documents of a MongoDB server. Versions 1 to 1.5. */
export const mongoDb: NodeExecutor = {
  kind: 'mongoDb',
  actsOutside: true,
  run: async (context) => {
    const isIndex = textParameter(context, 'resource', 0) === 'searchIndexes';
    const operation = choiceParameter(context, 'operation', 0, isIndex ? INDEXES : [...READS, ...WRITES]);
    const session = await openMongoSession(context);
    try {
      return output(await run(context, session, operation));
    } finally {
      session.close();
    }
  },
};

function run(
  context: NodeContext,
  session: MongoSession,
  operation: ItemOperation | (typeof WRITES)[number],
): Promise<Item[]> {
  switch (operation) {
    case 'insert':
      return insertDocuments(context, session);
    case 'findOneAndReplace':
    case 'findOneAndUpdate':
      return writeDocuments(context, session, operation);
    case 'update':
      return writeDocuments(context, session, 'updateOne');
    case 'aggregate':
    case 'delete':
    case 'find':
    case 'createSearchIndex':
    case 'dropSearchIndex':
    case 'listSearchIndexes':
    case 'updateSearchIndex':
      return eachQuery(context, (index) => itemsFor(context, session, operation, index));
  }
}

/** Version 1 queries for the first item only, and its results come from all items. */
async function eachQuery(context: NodeContext, ask: (index: number) => Promise<MadeItem[]>): Promise<Item[]> {
  const isFirstOnly = context.version < 1.1;
  const all = context.items.map((_, item) => ({ item }));
  const asked = { items: isFirstOnly ? context.items.slice(0, 1) : context.items, pause: () => context.pause() };
  const results = await mapItems(asked, async (_item, index): Promise<Item[]> => {
    const pairedItem = isFirstOnly ? all : { item: index };
    try {
      return (await ask(index)).map((made) => withOrigin(made, pairedItem));
    } catch (thrown) {
      const failure = databaseFailure(thrown, index);
      if (!context.continueOnFail || context.signal.aborted) throw failure;
      return [{ json: { error: failure.message }, pairedItem }];
    }
  });
  return results.flat();
}

async function itemsFor(
  context: NodeContext,
  session: MongoSession,
  operation: ItemOperation,
  index: number,
): Promise<MadeItem[]> {
  const collection = textParameter(context, 'collection', index);
  const name = (): string => textParameter(context, 'indexNameRequired', index);
  switch (operation) {
    case 'find':
      return itemsOf(context, await find(context, session, collection, index));
    case 'aggregate':
      return itemsOf(context, await session.aggregate(collection, pipelineOf(context, index)));
    case 'delete':
      return [{ json: { deletedCount: await session.deleteMany(collection, objectOf(given(context, index))) } }];
    case 'listSearchIndexes': {
      const only = textParameter(context, 'indexName', index);
      return itemsOf(context, await session.listSearchIndexes(collection, only === '' ? undefined : only));
    }
    case 'createSearchIndex':
      await session.createSearchIndex(collection, {
        name: name(),
        type: choiceParameter(context, 'indexType', index, ['vectorSearch', 'search']),
        definition: objectOf(definition(context, index)),
      });
      return [{ json: { indexName: name() } }];
    case 'updateSearchIndex':
      await session.updateSearchIndex(collection, name(), objectOf(definition(context, index)));
      return [{ json: Object.fromEntries([[name(), true]]) }];
    case 'dropSearchIndex':
      await session.dropSearchIndex(collection, name());
      return [{ json: Object.fromEntries([[name(), true]]) }];
  }
}

async function itemsOf(context: NodeContext, documents: readonly MongoDocument[]): Promise<MadeItem[]> {
  const items: MadeItem[] = [];
  for (const document of documents) {
    const pause = context.pause();
    if (pause !== undefined) await pause;
    items.push(await itemOf(context, document));
  }
  return items;
}

function find(
  context: NodeContext,
  session: MongoSession,
  collection: string,
  index: number,
): Promise<readonly MongoDocument[]> {
  const whole = (path: string): number => Math.max(0, Math.trunc(numberParameter(context, path, index, 0)));
  const sort = optionOf(context, 'sort', 'Sort', index);
  const projection = optionOf(context, 'projection', 'Projection', index);
  return session.find(collection, {
    filter: withId(objectOf(given(context, index))),
    limit: whole('options.limit'),
    skip: whole('options.skip'),
    ...(sort === undefined ? {} : { sort }),
    ...(projection === undefined ? {} : { projection }),
  });
}

/** An option with JSON; undefined if it is empty. */
function optionOf(context: NodeContext, name: string, label: string, itemIndex: number): MongoDocument | undefined {
  const query = context.parameter(`options.${name}`, itemIndex) ?? '';
  if (query === '') return undefined;
  const values = context.parameter(`options.${name}Parameters`, itemIndex);
  const option = objectOf({ query, values, label, itemIndex });
  return Object.keys(option).length === 0 ? undefined : option;
}

function pipelineOf(context: NodeContext, index: number): MongoDocument[] {
  const stages = queryOf(given(context, index));
  if (Array.isArray(stages) && stages.every(isJsonObject)) return stages;
  throw new NodeFailure('The Query must be a JSON array of stages', { itemIndex: index });
}

function given(context: NodeContext, itemIndex: number): QuerySource {
  const [query, values] = ['query', 'queryParameters'].map((name) => context.parameter(name, itemIndex));
  return { query, values, label: 'Query', itemIndex };
}

function definition(context: NodeContext, itemIndex: number): QuerySource {
  const [query, values] = ['indexDefinition', 'indexDefinitionParameters'].map((name) =>
    context.parameter(name, itemIndex),
  );
  return { query, values, label: 'Index Definition', itemIndex };
}

/** A string as the id of a document stands for an object id. */
function withId(filter: MongoDocument): MongoDocument {
  const id = filter[MONGO_ID];
  return typeof id === 'string' && id !== '' ? { ...filter, [MONGO_ID]: mongoIdOf(id) } : filter;
}
