import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import type { MongoChange, MongoDocument, MongoSession } from '@weft/outbound';
import { mapItems, withOrigin } from '../shared/each-item';
import { textParameter } from '../shared/read-parameter';
import { databaseFailure } from '../shared/sql/sql-failure';
import { changeOf, documentOf, documentRules, itemOf } from './documents';

type Change = 'findOneAndReplace' | 'findOneAndUpdate' | 'updateOne';

/** The change for one item. */
interface Entry<Written> {
  readonly index: number;
  readonly written: Written;
}

/** Up to version 1.2 the parameters of the first item apply to all. */
const FOR_EACH_ITEM = 1.3;
/** From then on updates of one collection are sent together. */
const UPDATES_TOGETHER = 1.5;
/** Up to version 1.1 a dotted name was an object in updates, too. */
const FLAT_UPDATES = 1.2;

/** Inserts a document for each item; documents of one collection are sent together. */
export async function insertDocuments(context: NodeContext, session: MongoSession): Promise<Item[]> {
  const of = (index: number): number => (context.version < FOR_EACH_ITEM ? 0 : index);
  const { entries, failed } = await prepare(context, (index) => {
    const item = context.items[index] ?? { json: {} };
    return documentOf(item, documentRules(context, of(index)), false, index);
  });
  const made: [number, Item][] = [...failed];
  for (const [collection, group] of byCollection(context, entries, of))
    try {
      const ids = await session.insertMany(
        collection,
        group.map(({ written }) => written),
      );
      for (const [position, { index, written }] of group.entries())
        made.push([index, await itemFor(context, index, withIds(written, ids[position]))]);
    } catch (thrown) {
      for (const { index } of group) made.push([index, failedAt(context, index, thrown)]);
    }
  return inOrder(made);
}

/** Updates a document for each item. */
export async function writeDocuments(context: NodeContext, session: MongoSession, how: Change): Promise<Item[]> {
  const isEach = context.version >= FOR_EACH_ITEM;
  const of = (index: number): number => (isEach ? index : 0);
  const isFlat = how !== 'findOneAndReplace' && context.version >= FLAT_UPDATES;
  const { entries, failed } = await prepare(context, (index) => {
    const change = changeOf(context, index, isFlat, of(index));
    if (change === undefined && isEach)
      throw new NodeFailure('Item is missing the updateKey field', { itemIndex: index });
    return change;
  });
  const isTogether = how !== 'findOneAndReplace' && context.version >= UPDATES_TOGETHER;
  const made: [number, Item][] = [...failed];
  for (const [collection, group] of byCollection(context, entries, of)) {
    const failures = isTogether
      ? await sendAll(context, session, collection, group)
      : await sendEach(context, session, collection, how, group);
    for (const { index, written } of group) {
      const failure = failures.get(index);
      made.push([index, failure ?? (await itemFor(context, index, written.document))]);
    }
  }
  return inOrder(made);
}

async function sendAll(
  context: NodeContext,
  session: MongoSession,
  collection: string,
  group: readonly Entry<MongoChange>[],
): Promise<Map<number, Item>> {
  const failures = new Map<number, Item>();
  try {
    const messages = await session.updateAll(
      collection,
      group.map(({ written }) => written),
      !context.continueOnFail,
    );
    for (const [position, message] of messages) {
      const index = group[position]?.index ?? position;
      failures.set(index, failedAt(context, index, new NodeFailure(message, { itemIndex: index })));
    }
  } catch (thrown) {
    for (const { index } of group) failures.set(index, failedAt(context, index, thrown));
  }
  return failures;
}

async function sendEach(
  context: NodeContext,
  session: MongoSession,
  collection: string,
  how: Change,
  group: readonly Entry<MongoChange>[],
): Promise<Map<number, Item>> {
  const failures = new Map<number, Item>();
  for (const { index, written } of group)
    try {
      await session.change(collection, how, written);
    } catch (thrown) {
      failures.set(index, failedAt(context, index, thrown));
    }
  return failures;
}

/** All changes, and the items that permit none, before anything is sent. */
async function prepare<Written>(
  context: NodeContext,
  make: (index: number) => Written | undefined,
): Promise<{ readonly entries: Entry<Written>[]; readonly failed: [number, Item][] }> {
  const entries: Entry<Written>[] = [];
  const failed: [number, Item][] = [];
  await mapItems(context, (_item, index) => {
    try {
      const written = make(index);
      if (written !== undefined) entries.push({ index, written });
    } catch (thrown) {
      failed.push([index, failedAt(context, index, thrown)]);
    }
  });
  return { entries, failed };
}

function byCollection<Written>(
  context: NodeContext,
  entries: readonly Entry<Written>[],
  of: (index: number) => number,
): Map<string, Entry<Written>[]> {
  return Map.groupBy(entries, ({ index }) => textParameter(context, 'collection', of(index)));
}

/** The document as sent, with its new id under two names. */
function withIds(document: MongoDocument, id: unknown): MongoDocument {
  return { ...document, _id: id, id };
}

async function itemFor(context: NodeContext, index: number, document: MongoDocument): Promise<Item> {
  return withOrigin(await itemOf(context, document), originOf(context, index));
}

/** The error item for a failed one. @throws NodeFailure unless the node continues on failure */
function failedAt(context: NodeContext, index: number, thrown: unknown): Item {
  const failure = databaseFailure(thrown, index);
  if (!context.continueOnFail || context.signal.aborted) throw failure;
  return { json: { error: failure.message }, pairedItem: originOf(context, index) };
}

function originOf(context: NodeContext, index: number): NonNullable<Item['pairedItem']> {
  return context.version < FOR_EACH_ITEM ? context.items.map((_, item) => ({ item })) : { item: index };
}

function inOrder(made: readonly [number, Item][]): Item[] {
  return made.toSorted(([one], [other]) => one - other).map(([, item]) => item);
}
