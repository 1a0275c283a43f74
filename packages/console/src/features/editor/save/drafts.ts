/** Unsaved work, kept in this browser: one draft per workflow. Erased at sign-out. */
export interface Draft {
  readonly workflowId: string;
  /** The user whose work it is, and the only one who sees it. */
  readonly userId: string;
  /** ETag and version that the work began with. */
  readonly etag: string;
  readonly versionId: string;
  /** Text of that version. */
  readonly base: string;
  /** Text of the work. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
}

const DATABASE = 'weft-drafts';
const STORE = 'drafts';
/** Characters of a draft with its base. Larger work is not kept. */
export const MAX_DRAFT = 10_000_000;
/** Drafts that are kept; older ones are erased. */
const MAX_DRAFTS = 20;

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'workflowId' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The drafts cannot be opened.'));
    request.onblocked = () => reject(new Error('Another tab blocks the drafts.'));
  });

/** Runs a request in a transaction, and waits until its changes are on disk. */
const inStore = async <Result>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> => {
  const database = await open();
  try {
    return await new Promise<Result>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = run(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('The draft was not kept.'));
    });
  } finally {
    database.close();
  }
};

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  (['workflowId', 'userId', 'etag', 'versionId', 'base', 'text'] as const).every(
    (name) => name in value && typeof Reflect.get(value, name) === 'string',
  ) &&
  'savedAt' in value &&
  typeof value.savedAt === 'number';

/** Reads the draft of a workflow; undefined without one, and for one of another user, which is erased. */
export const readDraft = async (workflowId: string, userId: string): Promise<Draft | undefined> => {
  const found = await inStore<unknown>('readonly', (store) => store.get(workflowId));
  if (!isDraft(found)) return undefined;
  if (found.userId === userId) return found;
  await eraseDraft(workflowId);
  return undefined;
};

/** Keeps a draft in place of the previous one. Returns false if it is too large. */
export const keepDraft = async (draft: Draft): Promise<boolean> => {
  if (draft.base.length + draft.text.length > MAX_DRAFT) return false;
  await inStore('readwrite', (store) => store.put(draft));
  await eraseOldest();
  return true;
};

/** Erases the draft of a workflow. */
export const eraseDraft = async (workflowId: string): Promise<void> => {
  await inStore('readwrite', (store) => store.delete(workflowId));
};

const eraseOldest = async (): Promise<void> => {
  if ((await inStore('readonly', (store) => store.count())) <= MAX_DRAFTS) return;
  const all = await inStore<unknown[]>('readonly', (store) => store.getAll());
  const old = all
    .filter(isDraft)
    .sort((a, b) => b.savedAt - a.savedAt)
    .slice(MAX_DRAFTS);
  for (const { workflowId } of old) await eraseDraft(workflowId);
};
