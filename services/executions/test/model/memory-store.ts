import type { ExecutionRecord } from '../../src/domain/execution';
import type { ApplyWrite, ClaimExecutions, ReadExecution } from '../../src/domain/ports';
import { judge, type Snapshot } from '../../src/domain/write-outcome';
import type { Fields, Write } from '../../src/domain/write';

/** What histories are run on. */
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

const OPERATORS: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  $in: (value, operand) => Array.isArray(operand) && operand.some((one) => isEqual(value, one)),
  $lt: (value, operand) => order(value) < order(operand),
  $lte: (value, operand) => order(value) <= order(operand),
  $gt: (value, operand) => order(value) > order(operand),
  $exists: (value, operand) => (value !== undefined) === operand,
  $not: (value, operand) => !holds(value, operand),
};

const holds = (value: unknown, condition: unknown): boolean => {
  if (!isDocument(condition) || !Object.keys(condition).some((key) => key.startsWith('$')))
    return isEqual(value, condition);
  return Object.entries(condition).every(([name, operand]) => {
    const operator = OPERATORS[name];
    if (operator === undefined)
      throw new Error(`The table speaks of ${name}, which this interpretation does not know.`);
    return operator(value, operand);
  });
};

const matches = (document: Document, filter: Fields): boolean =>
  Object.entries(filter).every(([path, condition]) => holds(at(document, path), condition));

const ELEMENTS = /^(\w+)\.\$\[(\w+)\]\.(\w+)$/;

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

const setOne = (document: Document, path: string, value: unknown, { arrayFilters }: Write): void => {
  const [, list = '', name = '', field = ''] = ELEMENTS.exec(path) ?? [];
  if (list === '') return setPath(document, path, value);
  const conditions = arrayFilters
    .flatMap((filter) => Object.entries(filter))
    .filter(([key]) => key.startsWith(`${name}.`));
  const elements = document[list];
  if (!Array.isArray(elements)) throw new Error(`${list} is no list.`);
  for (const element of elements) {
    if (isDocument(element) && conditions.every(([key, condition]) => holds(at({ [name]: element }, key), condition)))
      element[field] = value;
  }
};

const numberAt = (document: Document, key: string): number => (typeof document[key] === 'number' ? document[key] : 0);

const listAt = (document: Document, key: string): unknown[] => {
  const list = document[key];
  return Array.isArray(list) ? list : [];
};

/** The update as MongoDB would do it, for the operators that the table uses. */
const update = (document: Document, write: Write): void => {
  const { $set, $unset, $inc, $push, $min, $pull } = write.update;
  for (const [path, value] of Object.entries($set)) setOne(document, path, value, write);
  for (const key of Object.keys($unset)) delete document[key];
  for (const [key, by] of Object.entries($inc)) document[key] = numberAt(document, key) + order(by);
  for (const [key, value] of Object.entries($push)) document[key] = [...listAt(document, key), value];
  for (const [key, value] of Object.entries($min))
    if (document[key] === undefined || order(value) < order(document[key])) document[key] = value;
  for (const [key, pattern] of Object.entries($pull))
    document[key] = listAt(document, key).filter(
      (element) => !(isDocument(element) && isDocument(pattern) && matches(element, pattern)),
    );
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
    if (document !== undefined && matches(document, write.filter)) {
      update(document, write);
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
