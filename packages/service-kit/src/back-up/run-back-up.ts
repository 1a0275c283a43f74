import { resolve } from 'node:path';
import type { Db } from 'mongodb';
import { defineConfig, mongoFields } from '../config';
import { messageOf } from '../errors';
import { RELEASE } from '../lifecycle';
import { connectDatabase, migrate, type Schema } from '../mongo';
import { createBackUp, type BackUpTask } from './create-back-up';
import type { BackUpPlan } from './plan';
import { pruneBackUps } from './prune-back-ups';
import { restoreBackUp, verifyBackUp } from './restore-back-up';

/** The database of a service, with its backup plan. */
export interface BackUpSubject {
  readonly service: string;
  readonly defaultDatabase: string;
  readonly schema: Schema;
  readonly plan: BackUpPlan;
}

const USAGE = 'Usage: create FOLDER [--verify] | verify FOLDER | restore FOLDER | prune FOLDER NUMBER';

const say = (service: string, line: string): void => void process.stdout.write(`${service}: ${line}\n`);

const keysLine = (ids: readonly string[]): string =>
  ids.length === 0
    ? ''
    : `; to read what is sealed, MASTER_KEY (or MASTER_KEY_PREVIOUS) has to have the id ${ids.join(', ')}`;

const withDatabase = async (
  { defaultDatabase, schema }: BackUpSubject,
  work: (db: Db, migrated: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  const { mongodbUri, mongodbDatabase } = defineConfig(mongoFields(defaultDatabase)).load();
  const { connection, close } = await connectDatabase(mongodbUri, mongodbDatabase);
  try {
    await work(connection.getClient().db(mongodbDatabase), () => migrate(connection, schema));
  } finally {
    await close();
  }
};

const create = (subject: BackUpSubject, task: Omit<BackUpTask, 'db'>): Promise<void> =>
  withDatabase(subject, async (db) => {
    const { documents, collections, unsettled, masterKeys } = await createBackUp({ ...task, db });
    say(task.service, `${documents} documents of ${collections} collections in ${task.folder}${keysLine(masterKeys)}`);
    for (const name of unsettled)
      say(task.service, `${name} changed all the time; it may name parts that the back-up does not have`);
  });

const restore = (subject: BackUpSubject, task: Omit<BackUpTask, 'db'>): Promise<void> =>
  withDatabase(subject, async (db, migrated) => {
    const { documents, skipped, masterKeys } = await restoreBackUp({ ...task, db });
    await migrated();
    const left = skipped === 0 ? '' : `, ${skipped} left out whose owner was deleted during the back-up`;
    say(
      task.service,
      `${documents} documents restored to ${db.databaseName}${left}, indexes made${keysLine(masterKeys)}`,
    );
  });

const verify = async (task: Omit<BackUpTask, 'db'>): Promise<void> => {
  const { collections, release, beganAt, masterKeys } = await verifyBackUp(task);
  const documents = Object.values(collections).reduce((sum, file) => sum + file.documents, 0);
  say(task.service, `${documents} documents of ${beganAt}, release ${release}, are complete${keysLine(masterKeys)}`);
};

const prune = async (service: string, folder: string, keep: number): Promise<void> => {
  const { kept, removed } = await pruneBackUps(folder, keep);
  say(service, `kept ${kept.join(', ')}; removed ${removed.length === 0 ? 'none' : removed.join(', ')}`);
};

/**
 * Runs a backup command of a service as a separate process: `create` (with `--verify` it also checks the files that it
 * wrote), `verify` or `restore`, and the folder of the whole backup, in which each service has a subfolder of its name;
 * or `prune`, a folder of whole backups, and the number of those to keep. On failure it prints one sentence and exits
 * with 1. It reads only `MONGODB_URI` and `MONGODB_DATABASE`.
 */
export const runBackUp = async (subject: BackUpSubject): Promise<void> => {
  const { service, plan } = subject;
  const [command, folder = '', option] = process.argv.slice(2);
  try {
    if (folder === '') throw new Error(USAGE);
    const task = { service, plan, release: RELEASE, folder: resolve(folder, service) };
    if (command === 'create' && (option === undefined || option === '--verify')) {
      await create(subject, task);
      if (option === '--verify') await verify(task);
    } else if (command === 'verify') await verify(task);
    else if (command === 'restore') await restore(subject, task);
    else if (command === 'prune') await prune(service, resolve(folder), Number(option));
    else throw new Error(USAGE);
  } catch (error) {
    process.stderr.write(`${service}: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
};
