import { setTimeout as sleep } from 'node:timers/promises';
import { BSON, type Db } from 'mongodb';
import type { DocumentWriter } from './document-file';
import { BackUpError, type OwnerPlan, type PartsPlan } from './plan';

/** The raw bytes of a stored document, and its id. */
interface Stored {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly isBeingDeleted: boolean;
}

/** Maximum documents and bytes held at a time; the last document of a page may exceed the bytes. */
const PAGE_DOCUMENTS = 500;
const PAGE_BYTES = 8 * 2 ** 20;
/**
 * Attempts to read an owner and its parts without a change in between, and the pause between attempts in milliseconds.
 */
const ATTEMPTS = 5;
const PAUSE_MS = 50;

const storedOf = (collection: string, bytes: Uint8Array, deletionField?: string): Stored => {
  const document = BSON.deserialize(bytes);
  const id: unknown = document['_id'];
  if (typeof id !== 'string')
    throw new BackUpError(`${collection} has an _id that is not a string. Pages are read in the order of strings.`);
  return { id, bytes, isBeingDeleted: deletionField !== undefined && document[deletionField] !== undefined };
};

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

interface FindOptions {
  readonly limit?: number;
  readonly deletionField?: string | undefined;
}

/** Finds documents as stored. With `raw` the driver returns bytes, although its types do not say so. */
async function* find(
  db: Db,
  collection: string,
  filter: object,
  { limit = 0, deletionField }: FindOptions = {},
): AsyncGenerator<Stored> {
  const cursor = db.collection(collection).find(filter, { raw: true, limit, sort: { _id: 1 }, batchSize: 100 });
  try {
    for await (const bytes of cursor as AsyncIterable<unknown>) {
      if (!isBytes(bytes)) throw new BackUpError('The driver did not return the bytes of a document.');
      yield storedOf(collection, bytes, deletionField);
    }
  } finally {
    await cursor.close();
  }
}

/**
 * Pages of a collection in the order of ids, up to the last id present at the start: a collection that grows faster
 * than it is read would never end. No cursor lives longer than a page.
 */
async function* pagesOf(db: Db, collection: string): AsyncGenerator<readonly Stored[]> {
  const last = await db.collection(collection).findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  if (last === null) return;
  let after: string | undefined;
  for (;;) {
    const page: Stored[] = [];
    let bytes = 0;
    const filter = { _id: { ...(after === undefined ? {} : { $gt: after }), $lte: last._id } };
    for await (const document of find(db, collection, filter, { limit: PAGE_DOCUMENTS })) {
      page.push(document);
      bytes += document.bytes.length;
      if (bytes >= PAGE_BYTES) break;
    }
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.id;
  }
}

export const copyCollection = async (db: Db, collection: string, writer: DocumentWriter): Promise<void> => {
  for await (const page of pagesOf(db, collection)) for (const { bytes } of page) await writer.write(bytes);
};

/** Writes the parts of owners, each only once across all attempts at a page. */
const copyParts = async (
  db: Db,
  { collection, ownerField }: PartsPlan,
  owners: readonly Stored[],
  writer: DocumentWriter,
  written: Set<string>,
): Promise<void> => {
  const filter = { [ownerField]: { $in: owners.map(({ id }) => id) } };
  // Sorted by the index on the owner: there may be too many to sort in memory.
  const cursor = db.collection(collection).find(filter, { raw: true, batchSize: 100 });
  try {
    for await (const bytes of cursor as AsyncIterable<unknown>) {
      if (!isBytes(bytes)) throw new BackUpError('The driver did not return the bytes of a document.');
      const { id } = storedOf(collection, bytes);
      if (written.has(id)) continue;
      written.add(id);
      await writer.write(bytes);
    }
  } finally {
    await cursor.close();
  }
};

const readAgain = async (
  db: Db,
  { collection, deletionField }: OwnerPlan,
  owners: readonly Stored[],
): Promise<ReadonlyMap<string, Stored>> => {
  const found = new Map<string, Stored>();
  const filter = { _id: { $in: owners.map(({ id }) => id) } };
  for await (const document of find(db, collection, filter, { deletionField })) found.set(document.id, document);
  return found;
};

/** Writers of owners and their parts. */
export interface OwnerWriters {
  readonly owners: DocumentWriter;
  /** By collection. */
  readonly parts: ReadonlyMap<string, DocumentWriter>;
}

/**
 * Copies owners with their parts so that each owner finds every part it names, unless its deletion has begun. Owners
 * deleted meanwhile are left out.
 * @returns ids of owners that never stopped changing, where that matters
 */
export const copyOwners = async (
  db: Db,
  plan: OwnerPlan,
  { owners: writer, parts: writers }: OwnerWriters,
): Promise<readonly string[]> => {
  const { collection, parts, form } = plan;
  const unsettled: string[] = [];
  for await (const page of pagesOf(db, collection)) {
    let pending = page;
    const written = new Set<string>();
    for (let attempt = 1; pending.length > 0; attempt += 1) {
      if (attempt > 1) await sleep(PAUSE_MS);
      for (const part of parts) {
        const partsWriter = writers.get(part.collection);
        if (partsWriter !== undefined) await copyParts(db, part, pending, partsWriter, written);
      }
      const now = await readAgain(db, plan, pending);
      const changed: Stored[] = [];
      for (const before of pending) {
        const after = now.get(before.id);
        if (after === undefined) continue;
        const isSettled = form !== 'same' || Buffer.compare(before.bytes, after.bytes) === 0;
        if (!isSettled && attempt < ATTEMPTS) {
          changed.push(after);
          continue;
        }
        if (!isSettled) unsettled.push(before.id);
        await writer.write(form === 'after' || after.isBeingDeleted ? after.bytes : before.bytes);
      }
      pending = changed;
    }
  }
  return unsettled;
};
