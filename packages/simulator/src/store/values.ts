/** A value as the store keeps it. */
export type Value = unknown;

/** A document of the store. */
export type Document = Record<string, Value>;

export const isDocument = (value: Value): value is Document =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof Uint8Array);

/** The elements of an array; of another value none. */
export const listOf = (value: Value): Value[] => (Array.isArray(value) ? value : []);

/** The documents of an array; of another value none. */
export const documentsOf = (value: Value): Document[] => listOf(value).filter(isDocument);

/** A member of an object or document; undefined for another value. */
export const memberOf = (value: Value, name: string): Value =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The bytes of a value that the driver wraps in an object with a buffer. */
const bytesOf = (value: object): Uint8Array | undefined =>
  '_bsontype' in value && 'buffer' in value && value.buffer instanceof Uint8Array ? value.buffer : undefined;

/** A deep copy, as if the value had been sent as BSON. */
export const copyOf = (value: Value): Value => {
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) return value.map(copyOf);
  const bytes = bytesOf(value);
  if (bytes !== undefined) return Buffer.from(bytes);
  return copyOfDocument(value);
};

/** The plain object that the driver sends for an object of mongoose. */
const plainOf = (value: object): object => {
  if (!('toBSON' in value) || typeof value.toBSON !== 'function') return value;
  const plain: unknown = value.toBSON();
  return typeof plain === 'object' && plain !== null ? plain : value;
};

/** A deep copy of a document. */
export const copyOfDocument = (document: object): Document => {
  const copy: Document = {};
  for (const [key, member] of Object.entries(plainOf(document))) copy[key] = copyOf(member);
  return copy;
};

const typeRank = (value: Value): number => {
  if (value === null || value === undefined) return 1;
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return 3;
  if (value instanceof Uint8Array) return 6;
  if (Array.isArray(value)) return 5;
  if (typeof value === 'boolean') return 8;
  return value instanceof Date ? 9 : 4;
};

/** Order of two values, as the store sorts them; undefined if they have different types. */
export const compareSame = (left: Value, right: Value): number | undefined => {
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  return undefined;
};

/** Order of any two values. */
export const compareAny = (left: Value, right: Value): number =>
  typeRank(left) - typeRank(right) || (compareSame(left, right) ?? 0);

export const isEqual = (left: Value, right: Value): boolean => {
  if (left === null || left === undefined || right === null || right === undefined)
    return (left ?? null) === (right ?? null);
  const order = compareSame(left, right);
  if (order !== undefined) return order === 0;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((one, index) => isEqual(one, right[index]));
  if (isDocument(left) && isDocument(right)) {
    const keys = Object.keys(left);
    return keys.length === Object.keys(right).length && keys.every((key) => isEqual(left[key], right[key]));
  }
  return false;
};

/** Values at a path, through the elements of arrays. Empty: the path does not exist. */
export const valuesAt = (value: Value, path: readonly string[], from = 0): Value[] => {
  if (from === path.length) return [value];
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path, from));
  const key = path[from] ?? '';
  return isDocument(value) && key in value ? valuesAt(value[key], path, from + 1) : [];
};
