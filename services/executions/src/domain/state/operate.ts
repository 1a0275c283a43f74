import type { ExecutionRecord } from './execution';
import type { Changes, Condition, Conditions, ElementChange, Write } from './write';
import type { Snapshot } from './write-outcome';

type Document = Record<string, unknown>;

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Buffer.isBuffer(value);

const valueAt = (document: unknown, path: string): unknown => {
  if (!path.includes('.')) return isDocument(document) ? document[path] : undefined;
  return path.split('.').reduce((found: unknown, key) => (isDocument(found) ? found[key] : undefined), document);
};

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
    case 'absentOrOneOf':
      return value === undefined || condition.values.some((one) => one === value);
    case 'atMost':
      return order(value) <= condition.value;
    case 'before':
      return order(value) < order(condition.time);
    case 'notBetween':
      return !(order(value) > order(condition.after) && order(value) <= order(condition.until));
  }
};

const meetsAll = (document: Document, conditions: Conditions): boolean => {
  for (const path of Object.keys(conditions)) if (!holds(valueAt(document, path), conditions[path])) return false;
  return true;
};

/** Documents on the path are replaced by changed copies: the record before the write is unchanged. */
const setAt = (document: Document, path: string, value: unknown): void => {
  const dot = path.indexOf('.');
  if (dot === -1) {
    document[path] = value;
    return;
  }
  const key = path.slice(0, dot);
  const found = document[key];
  const inner: Document = isDocument(found) ? { ...found } : {};
  setAt(inner, path.slice(dot + 1), value);
  document[key] = inner;
};

const removeAt = (document: Document, path: string): void => {
  const dot = path.indexOf('.');
  if (dot === -1) {
    delete document[path];
    return;
  }
  const key = path.slice(0, dot);
  const found = document[key];
  if (!isDocument(found)) return;
  const inner = { ...found };
  removeAt(inner, path.slice(dot + 1));
  document[key] = inner;
};

const listAt = (document: Document, key: string): readonly unknown[] => {
  const list = document[key];
  return Array.isArray(list) ? list : [];
};

const numberAt = (document: Document, key: string): number => {
  const value = valueAt(document, key);
  return typeof value === 'number' ? value : 0;
};

const setElements = (document: Document, { list, where, set }: ElementChange): void => {
  document[list] = listAt(document, list).map((element) =>
    isDocument(element) && meetsAll(element, where) ? { ...element, ...set } : element,
  );
};

const change = (document: Document, changes: Changes): void => {
  for (const path of Object.keys(changes.set)) setAt(document, path, changes.set[path]);
  if (changes.setElements !== undefined) setElements(document, changes.setElements);
  for (const path of changes.remove) removeAt(document, path);
  for (const [key, by] of Object.entries(changes.inc)) setAt(document, key, numberAt(document, key) + by);
  for (const [key, added] of Object.entries(changes.append ?? {})) document[key] = listAt(document, key).concat(added);
  for (const [key, value] of Object.entries(changes.lower ?? {}))
    if (document[key] === undefined || order(value) < order(document[key])) document[key] = value;
  for (const [key, conditions] of Object.entries(changes.removeElements ?? {}))
    document[key] = listAt(document, key).filter((element) => !(isDocument(element) && meetsAll(element, conditions)));
};

/** True if a record meets the conditions of a write, as the store decides it. */
export const meets = (record: ExecutionRecord, { where }: Write): boolean => meetsAll({ ...record }, where);

/** The record after a write whose conditions it meets, as the store computes it. */
export const operate = (record: ExecutionRecord, { changes }: Write): ExecutionRecord => {
  const document: Document & ExecutionRecord = { ...record };
  change(document, changes);
  return document;
};

/** The facts by which a write that did not match is judged. */
export const snapshotOf = (record: ExecutionRecord): Snapshot => ({
  ...record,
  hasResponse: record.response !== undefined,
  ...(record.error === undefined ? {} : { reason: record.error.reason }),
});
