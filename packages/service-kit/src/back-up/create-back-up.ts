import { mkdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Db } from 'mongodb';
import { copyCollection, copyOwners } from './copy-collection';
import { writeDocuments, type DocumentWriter, type FileFacts } from './document-file';
import { fileOf, writeManifest } from './manifest';
import { BackUpError, type BackUpPlan } from './plan';

/** Maximum number of collections of a service. */
const MAX_COLLECTIONS = 200;

/** Source, target and plan of a backup. */
export interface BackUpTask {
  readonly db: Db;
  readonly service: string;
  readonly release: string;
  readonly plan: BackUpPlan;
  /** Folder of this service in the backup. It must not exist. */
  readonly folder: string;
}

export interface BackUpFigures {
  readonly collections: number;
  readonly documents: number;
  readonly unsettled: readonly string[];
  readonly masterKeys: readonly string[];
}

const masterKeysOf = async (db: Db, { masterKeyFields }: BackUpPlan): Promise<readonly string[]> => {
  const found = await Promise.all(
    Object.entries(masterKeyFields).map(([collection, field]) => db.collection(collection).distinct(field)),
  );
  return [...new Set(found.flat().filter((id): id is string => typeof id === 'string'))].sort();
};

/** Collections other than those with owners, in the order in which they are copied. */
const collectionsOf = async (db: Db, { leftOut, owners, last }: BackUpPlan): Promise<readonly string[]> => {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  if (found.length > MAX_COLLECTIONS)
    throw new BackUpError(`${db.databaseName} has ${found.length} collections. Give each service a separate database.`);
  const grouped = new Set(
    owners.flatMap(({ collection, parts }) => [collection, ...parts.map((one) => one.collection)]),
  );
  const names = found
    .map(({ name }) => name)
    .filter((name) => !leftOut.includes(name) && !grouped.has(name) && !name.startsWith('system.'))
    .sort();
  return [...names.filter((name) => !last.includes(name)), ...names.filter((name) => last.includes(name))];
};

const copyInto = async (task: BackUpTask, folder: string): Promise<BackUpFigures> => {
  const { db, service, release, plan } = task;
  const beganAt = new Date().toISOString();
  const open = new Map<string, DocumentWriter>();
  const facts: Record<string, FileFacts> = {};
  const unsettled: string[] = [];
  const begin = (collection: string): DocumentWriter => {
    const writer = writeDocuments(fileOf(folder, collection));
    open.set(collection, writer);
    return writer;
  };
  const endAll = async (): Promise<void> => {
    for (const [collection, writer] of open) facts[collection] = await writer.end();
    open.clear();
  };
  try {
    for (const owner of plan.owners) {
      const owners = begin(owner.collection);
      const parts = new Map(owner.parts.map(({ collection }) => [collection, begin(collection)]));
      const changing = await copyOwners(db, owner, { owners, parts });
      unsettled.push(...changing.map((id) => `${owner.collection}/${id}`));
      await endAll();
    }
    for (const collection of await collectionsOf(db, plan)) {
      await copyCollection(db, collection, begin(collection));
      await endAll();
    }
  } finally {
    for (const writer of open.values()) writer.abort();
  }
  const masterKeys = await masterKeysOf(db, plan);
  await writeManifest(folder, {
    release,
    service,
    beganAt,
    endedAt: new Date().toISOString(),
    collections: facts,
    masterKeys,
    unsettled,
  });
  const documents = Object.values(facts).reduce((sum, file) => sum + file.documents, 0);
  return { collections: Object.keys(facts).length, documents, unsettled, masterKeys };
};

/** A misspelt database name would give an empty backup, unnoticed until a restore. */
const requireCollections = async (db: Db): Promise<void> => {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  if (found.length === 0)
    throw new BackUpError(`${db.databaseName} has no collections. Check MONGODB_URI and MONGODB_DATABASE.`);
};

/**
 * Copies the database of a running service into a folder. The folder gets its final name once it is complete.
 * @throws BackUpError, and errors of the store and of the disk
 */
export const createBackUp = async (task: BackUpTask): Promise<BackUpFigures> => {
  const { db, folder } = task;
  if (existsSync(folder)) throw new BackUpError(`${folder} exists. Name a new folder for each back-up.`);
  await requireCollections(db);
  const draft = `${folder}.incomplete`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await mkdir(draft, { mode: 0o700 });
  const figures = await copyInto(task, draft);
  await rename(draft, folder);
  return figures;
};
