import { ChangedSinceRead, holdsFor, type EtagCondition } from '@weft/service-kit/errors';
import type { AppStore, AppSummary, StoredApp } from './app';
import { AppInUse, AppKindTaken, AppNotFound, TooManyApps } from './errors';
import type { CheckApp, CheckedApp } from './check-app';
import type { FindAppWorkflows } from './find-app-workflows';

/** An app as stored by a write. */
export interface WrittenApp {
  readonly app: AppSummary;
  /** True if there was none with its name. */
  readonly created: boolean;
}

/** Use cases of user-defined apps. */
export interface AppUseCases {
  /** All apps, by name. */
  readonly listApps: () => Promise<readonly AppSummary[]>;
  /** @throws AppNotFound */
  readonly getApp: (name: string) => Promise<StoredApp>;
  /**
   * Stores an app, or a new revision of it. The same document again changes nothing. Without a condition the last of
   * two writers wins.
   * @throws InvalidRequest, PayloadTooLarge, AppKindTaken, TooManyApps, ChangedSinceRead
   */
  readonly putApp: (name: string, document: Buffer, userId: string, condition?: EtagCondition) => Promise<WrittenApp>;
  /** @throws AppNotFound, ChangedSinceRead; AppInUse unless it is forced */
  readonly deleteApp: (name: string, force: boolean, condition?: EtagCondition) => Promise<void>;
}

export interface AppDeps {
  readonly apps: AppStore;
  readonly checkApp: CheckApp;
  readonly findAppWorkflows: FindAppWorkflows;
}

/** Maximum apps of an instance. */
const MAX_APPS = 200;
/** Maximum bytes of all documents: their kinds must fit into one message. */
const MAX_ALL_BYTES = 8_000_000;
/** Attempts to store a revision while others store revisions of the same app. */
const MAX_ATTEMPTS = 10;

const changed = (name: string): ChangedSinceRead => new ChangedSinceRead('app', { app: name });

const findOne = async (apps: AppStore, name: string): Promise<StoredApp | undefined> => (await apps.find([name]))[0];

/** @throws TooManyApps if there is no room for a document */
const demandRoom = async (apps: AppStore, name: string, bytes: number): Promise<void> => {
  const others = (await apps.list()).filter((one) => one.name !== name);
  if (others.length >= MAX_APPS) throw new TooManyApps(`${MAX_APPS} apps`);
  if (others.reduce((sum, one) => sum + one.bytes, bytes) > MAX_ALL_BYTES)
    throw new TooManyApps(`${MAX_ALL_BYTES / 1_000_000} MB`);
};

/** The error for a kind that another app has. */
const takenBy = async (apps: AppStore, { kinds }: CheckedApp, name: string): Promise<AppKindTaken | undefined> => {
  const holder = (await apps.findByKinds(kinds)).find((one) => one.name !== name);
  const kind = kinds.find((one) => holder?.kinds.includes(one) === true);
  return holder === undefined || kind === undefined ? undefined : new AppKindTaken(kind, holder.name);
};

export const appUseCases = ({ apps, checkApp, findAppWorkflows }: AppDeps): AppUseCases => {
  const load = async (name: string): Promise<StoredApp> => {
    const app = await findOne(apps, name);
    if (app === undefined) throw new AppNotFound(name);
    return app;
  };
  /** Undefined if another write was faster. */
  const tryPut = async (
    name: string,
    checked: CheckedApp,
    updatedBy: string,
    condition: EtagCondition,
  ): Promise<WrittenApp | undefined> => {
    const seen = await findOne(apps, name);
    if (!holdsFor(condition, seen?.digest ?? '')) throw changed(name);
    if (seen?.digest === checked.digest) return { app: seen, created: false };
    const now = new Date();
    const bytes = Buffer.byteLength(checked.json);
    const app = { ...checked, name, bytes, createdAt: seen?.createdAt ?? now, updatedAt: now, updatedBy };
    await demandRoom(apps, name, bytes);
    const outcome = seen === undefined ? await apps.insert(app) : await apps.replace(app, seen.digest);
    if (outcome === 'done') return { app, created: seen === undefined };
    const taken = await takenBy(apps, checked, name);
    if (taken !== undefined) throw taken;
    return undefined;
  };
  return {
    listApps: apps.list,
    getApp: load,
    putApp: async (name, document, userId, condition) => {
      const checked = await checkApp(name, document);
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const written = await tryPut(name, checked, userId, condition);
        if (written !== undefined) return written;
      }
      throw changed(name);
    },
    deleteApp: async (name, force, condition) => {
      const seen = await load(name);
      if (!holdsFor(condition, seen.digest)) throw changed(name);
      const users = force ? [] : await findAppWorkflows(name);
      if (users.length > 0) throw new AppInUse(name, users);
      if (!(await apps.remove(name, seen.digest))) throw changed(name);
    },
  };
};
