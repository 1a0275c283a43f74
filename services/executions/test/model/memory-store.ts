import type { ExecutionRecord } from '../../src/domain/execution';
import type { ApplyWrite, ClaimExecutions, ReadExecution } from '../../src/domain/ports';
import { judge, type Snapshot } from '../../src/domain/write-outcome';
import type { Changes, Condition, Conditions, ElementChange, Write } from '../../src/domain/write';

/** Subject of histories. */
export interface Subject {
  readonly insert: (record: ExecutionRecord) => Promise<void>;
  readonly apply: ApplyWrite;
  readonly claim: ClaimExecutions;
  readonly read: ReadExecution;
}

type Document = Record<string, unknown>;

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Buffer.isBuffer(value);

const at = (document: unknown, path: string): unknown =>
  path.split('.').reduce((found: unknown, key) => (isDocument(found) ? found[key] : undefined), document);

const order = (value: unknown): number =>
  value instanceof Date ? value.getTime() : typeof value === 'number' ? value : Number.NaN;

const isEqual = (left: unknown, right: unknown): boolean =>
  left instanceof Date && right instanceof Date ? left.getTime() === right.getTime() : left === right;

const holds = (value: unknown, condition: Condition): boolean => {
  if (typeof condition !== 'object' || condition instanceof Date) return isEqual(value, condition);
  switch (condition.is) {
    case 'absent':
      return value === undefined;
    case 'oneOf':
      return condition.values.some((one) => isEqual(value, one));
    case 'atMost':
      return order(value) <= condition.value;
    case 'before':
      return order(value) < order(condition.time);
    case 'notBetween':
      return !(order(value) > order(condition.after) && order(value) <= order(condition.until));
  }
};

const matches = (document: Document, conditions: Conditions): boolean =>
  Object.entries(conditions).every(([path, condition]) => holds(at(document, path), condition));

const setPath = (document: Document, path: string, value: unknown): void => {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let target = document;
  for (const key of keys) {
    const next = target[key];
    if (!isDocument(next)) throw new Error(`Nothing is at ${path}.`);
    target = next;
  }
  target[last] = value;
};

const setElements = (document: Document, { list, where, set }: ElementChange): void => {
  for (const element of listAt(document, list)) {
    if (isDocument(element) && matches(element, where)) Object.assign(element, set);
  }
};

const numberAt = (document: Document, key: string): number => (typeof document[key] === 'number' ? document[key] : 0);

const listAt = (document: Document, key: string): unknown[] => {
  const list = document[key];
  return Array.isArray(list) ? list : [];
};

/** The changes as a store makes them. */
const update = (document: Document, changes: Changes): void => {
  for (const [path, value] of Object.entries(changes.set)) setPath(document, path, value);
  if (changes.setElements !== undefined) setElements(document, changes.setElements);
  for (const key of changes.remove) delete document[key];
  for (const [key, by] of Object.entries(changes.inc)) document[key] = numberAt(document, key) + by;
  for (const [key, added] of Object.entries(changes.append ?? {})) document[key] = listAt(document, key).concat(added);
  for (const [key, value] of Object.entries(changes.lower ?? {}))
    if (document[key] === undefined || order(value) < order(document[key])) document[key] = value;
  for (const [key, conditions] of Object.entries(changes.removeElements ?? {}))
    document[key] = listAt(document, key).filter((element) => !(isDocument(element) && matches(element, conditions)));
};

const snapshotOf = (record: ExecutionRecord): Snapshot => ({
  ...record,
  hasResponse: record.response !== undefined,
  ...(record.error === undefined ? {} : { reason: record.error.reason }),
});

/** The parts that updates change in place are copied as well. */
const copyOf = ({ postRunActions, lease, wait: waitsFor, ...rest }: ExecutionRecord): Document & ExecutionRecord => ({
  ...rest,
  postRunActions: postRunActions.map((action) => ({ ...action })),
  ...(lease === undefined ? {} : { lease: { ...lease } }),
  ...(waitsFor === undefined ? {} : { wait: { ...waitsFor } }),
});

/** The state table interpreted in memory, without any store. */
export const createMemoryStore = (): Subject => {
  const documents = new Map<string, Document & ExecutionRecord>();
  let writes = 0;
  const tryWrite = (
    id: string,
    write: Write,
  ): { document: (Document & ExecutionRecord) | undefined; batchId: string } => {
    writes += 1;
    const batchId = `m${writes}`;
    const document = documents.get(id);
    if (document !== undefined && matches(document, write.where)) {
      update(document, write.changes);
      setPath(document, 'batchId', batchId);
    }
    return { document, batchId };
  };
  return {
    insert: async (record) => {
      documents.set(record._id, copyOf(record));
    },
    apply: async (id, write) => {
      const { document, batchId } = tryWrite(id, write);
      const found = document === undefined ? undefined : snapshotOf(document);
      const outcome = judge(write, found, batchId);
      return outcome === 'applied' || found === undefined ? { outcome } : { outcome, found };
    },
    claim: async (ids, { claimId, attempt, take, renew }) => {
      for (const id of ids) {
        tryWrite(id, take);
        tryWrite(id, renew);
      }
      return ids
        .flatMap((id) => documents.get(id) ?? [])
        .filter(
          (document) =>
            document.state === 'running' && document.claimId === claimId && document.lease?.attempt === attempt,
        );
    },
    read: async (id) => {
      const document = documents.get(id);
      return document === undefined ? undefined : copyOf(document);
    },
  };
};
