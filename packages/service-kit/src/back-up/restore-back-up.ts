import { BSON, type Db, type Document } from 'mongodb';
import { measureFile, readDocuments } from './document-file';
import { fileOf, readManifest, type Manifest } from './manifest';
import { BackUpError, type BackUpPlan } from './plan';
import type { BackUpTask } from './create-back-up';

/** Maximum documents and bytes sent at a time. */
const BATCH_DOCUMENTS = 500;
const BATCH_BYTES = 8 * 2 ** 20;
/** Keeps numbers, dates and binary values exact, and regular expressions as BSON rather than JavaScript. */
const EXACT = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

/** Checks every file of a service's backup against its manifest. @throws BackUpError */
export const verifyBackUp = async ({
  folder,
  service,
  release,
}: Pick<BackUpTask, 'folder' | 'service' | 'release'>): Promise<Manifest> => {
  const manifest = await readManifest(folder, service, release);
  for (const [collection, { documents, sha256 }] of Object.entries(manifest.collections)) {
    const path = fileOf(folder, collection);
    const found = await measureFile(path);
    if (found.sha256 !== sha256)
      throw new BackUpError(`${path} is not the file that was written: its SHA-256 differs. Use another copy.`);
    if (found.documents !== documents)
      throw new BackUpError(`${path} has ${found.documents} documents of ${documents}. Use another copy.`);
  }
  return manifest;
};

const throwIfUsed = async (db: Db): Promise<void> => {
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name.startsWith('system.') || (await db.collection(name).findOne({}, { projection: { _id: 1 } })) === null)
      continue;
    throw new BackUpError(
      `The database ${db.databaseName} is not empty: ${name} has documents. Stop everything that uses it, then drop ` +
        'it, or name another one in MONGODB_DATABASE.',
    );
  }
};

/** Parts by owner: the owner collection and the field with the owner's id. */
interface PartsOf {
  readonly owners: string;
  readonly ownerField: string;
}

const partsOf = ({ owners }: BackUpPlan, collection: string): PartsOf | undefined => {
  for (const owner of owners)
    for (const part of owner.parts)
      if (part.collection === collection) return { owners: owner.collection, ownerField: part.ownerField };
  return undefined;
};

/** Drops parts whose owner was deleted during the backup. */
const withOwner = async (db: Db, batch: readonly Document[], { owners, ownerField }: PartsOf): Promise<Document[]> => {
  const ids = [...new Set(batch.map((document) => String(document[ownerField])))];
  const filter: Document = { _id: { $in: ids } };
  const found = await db
    .collection(owners)
    .find(filter, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(found.map(({ _id }) => String(_id)));
  return batch.filter((document) => known.has(String(document[ownerField])));
};

const restoreCollection = async (db: Db, collection: string, path: string, parts?: PartsOf): Promise<number> => {
  let batch: Document[] = [];
  let bytes = 0;
  let restored = 0;
  const send = async (): Promise<void> => {
    const documents = parts === undefined ? batch : await withOwner(db, batch, parts);
    if (documents.length > 0) await db.collection(collection).insertMany(documents, { ordered: true });
    restored += documents.length;
    batch = [];
    bytes = 0;
  };
  for await (const document of readDocuments(path)) {
    batch.push(BSON.deserialize(document, EXACT));
    bytes += document.length;
    if (batch.length >= BATCH_DOCUMENTS || bytes >= BATCH_BYTES) await send();
  }
  if (batch.length > 0) await send();
  return restored;
};

export interface RestoreFigures {
  readonly documents: number;
  /** Parts whose owner was deleted during the backup. */
  readonly skipped: number;
  readonly masterKeys: readonly string[];
}

/**
 * Restores a backup into an empty database. Nothing is written until every file has been checked. The migration of the
 * service creates the indexes.
 * @throws BackUpError, and errors of the store
 */
export const restoreBackUp = async (task: BackUpTask): Promise<RestoreFigures> => {
  const { db, plan, folder } = task;
  await throwIfUsed(db);
  const manifest = await verifyBackUp(task);
  const owners = new Set(plan.owners.map(({ collection }) => collection));
  const names = Object.keys(manifest.collections);
  // Owners first: parts are checked against them.
  const ordered = [...names.filter((name) => owners.has(name)), ...names.filter((name) => !owners.has(name))];
  let [documents, skipped] = [0, 0];
  for (const collection of ordered) {
    const wanted = manifest.collections[collection]?.documents ?? 0;
    const restored = await restoreCollection(db, collection, fileOf(folder, collection), partsOf(plan, collection));
    documents += restored;
    skipped += wanted - restored;
    const stored = await db.collection(collection).countDocuments();
    // Fewer are possible: a migrated database deletes expired documents.
    if (stored > restored)
      throw new BackUpError(
        `${db.databaseName}.${collection} has ${stored} documents, and ${restored} were restored: something else ` +
          'writes to it. Stop it, drop the database and restore again.',
      );
  }
  return { documents, skipped, masterKeys: manifest.masterKeys };
};
