import { matches } from './match';
import { applyUpdate } from './update';
import { compareAny, copyOf, copyOfDocument, type Document, isDocument, isEqual, type Value, valuesAt } from './values';

/** An index of a collection. Only unique ones have an effect. */
export interface MemoryIndex {
  readonly name: string;
  readonly key: Document;
  readonly unique?: boolean;
  readonly partialFilterExpression?: Document;
}

/** A refusal by the store, with the code of a real one. */
export class StoreRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'StoreRefusal';
  }
}

const DUPLICATE_KEY = 11_000;

/** Options of a search. */
export interface Search {
  readonly filter: Document;
  readonly sort?: Document;
  readonly skip?: number;
  readonly limit?: number;
}

/** One update of an update command. */
export interface UpdateStatement {
  readonly q: Document;
  readonly u: Document;
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly arrayFilters: readonly Document[];
}

/** Called with each change of a document; absent before an insert and after a deletion. */
export type OnChange = (collection: string, before: Document | undefined, after: Document | undefined) => void;

const first = (document: Document, path: string): Value => valuesAt(document, path.split('.'))[0];

/** Compares documents by the keys of a sort. */
export const bySort = (sort: Document) => {
  const keys = Object.entries(sort);
  return (one: Document, other: Document): number => {
    for (const [path, direction] of keys) {
      const order = compareAny(first(one, path), first(other, path));
      if (order !== 0) return direction === -1 ? -order : order;
    }
    return 0;
  };
};

const project = (value: Document, paths: readonly (readonly string[])[]): Document => {
  const projected: Document = {};
  const byKey = new Map<string, (readonly string[])[]>();
  for (const [key = '', ...rest] of paths) byKey.set(key, [...(byKey.get(key) ?? []), rest]);
  for (const [key, rests] of byKey) {
    if (!(key in value)) continue;
    const member = value[key];
    if (rests.some((rest) => rest.length === 0)) projected[key] = copyOf(member);
    else if (isDocument(member)) projected[key] = project(member, rests);
    else if (Array.isArray(member))
      projected[key] = member.filter(isDocument).map((element) => project(element, rests));
  }
  return projected;
};

/** A copy with the fields of an inclusive projection; an empty one includes all. */
export const projected = (document: Document, projection: Document = {}): Document => {
  const included = Object.entries(projection).filter(([, value]) => value === 1 || value === true);
  if (included.length === 0) return copyOfDocument(document);
  return project(document, [['_id'], ...included.map(([path]) => path.split('.'))]);
};

/** A collection in memory. Documents are in the order of their insertion. */
export class MemoryCollection {
  readonly #documents = new Map<string, Document>();
  readonly indexes: MemoryIndex[] = [{ name: '_id_', key: { _id: 1 } }];

  constructor(
    readonly name: string,
    readonly onChange: OnChange,
  ) {}

  addIndex(index: MemoryIndex): void {
    if (!this.indexes.some(({ name }) => name === index.name)) this.indexes.push(index);
  }

  /** @throws StoreRefusal if a unique index holds the key already */
  #checkUnique(document: Document): void {
    for (const { name, key, unique, partialFilterExpression = {} } of this.indexes) {
      if (unique !== true || !matches(document, partialFilterExpression)) continue;
      const paths = Object.keys(key);
      for (const other of this.#documents.values()) {
        if (other['_id'] === document['_id'] || !matches(other, partialFilterExpression)) continue;
        if (paths.every((path) => isEqual(first(other, path), first(document, path))))
          throw new StoreRefusal(DUPLICATE_KEY, `E11000 duplicate key error collection: ${this.name} index: ${name}`);
      }
    }
  }

  /** @throws StoreRefusal */
  insert(given: Document): void {
    const document = copyOfDocument(given);
    const id = String(document['_id']);
    if (this.#documents.has(id))
      throw new StoreRefusal(DUPLICATE_KEY, `E11000 duplicate key error collection: ${this.name} index: _id_`);
    this.#checkUnique(document);
    this.#documents.set(id, document);
    this.onChange(this.name, undefined, document);
  }

  /** The stored documents, to be read only. */
  find({ filter, sort, skip = 0, limit = 0 }: Search): Document[] {
    const id = filter['_id'];
    const only = typeof id === 'string' ? this.#documents.get(id) : undefined;
    const candidates: readonly Document[] =
      typeof id !== 'string' ? [...this.#documents.values()] : only === undefined ? [] : [only];
    const found = candidates.filter((document) => matches(document, filter));
    if (sort !== undefined && Object.keys(sort).length > 0) found.sort(bySort(sort));
    return found.slice(skip, limit > 0 ? skip + limit : undefined);
  }

  /** Replaces a document by a changed copy. @throws StoreRefusal */
  change(document: Document, { u, arrayFilters }: Pick<UpdateStatement, 'u' | 'arrayFilters'>): Document {
    const changed = copyOfDocument(document);
    applyUpdate(changed, u, arrayFilters, false);
    this.#checkUnique(changed);
    this.#documents.set(String(document['_id']), changed);
    this.onChange(this.name, document, changed);
    return changed;
  }

  /** @returns the numbers of matched and of inserted documents @throws StoreRefusal */
  update(statement: UpdateStatement): { readonly matched: number; readonly upsertedId?: Value } {
    const { q, u, multi, upsert, arrayFilters } = statement;
    const found = this.find({ filter: q, limit: multi ? 0 : 1 });
    for (const document of found) this.change(document, statement);
    if (found.length > 0 || !upsert) return { matched: found.length };
    const made: Document = {};
    for (const [path, value] of Object.entries(q)) if (!isDocument(value)) made[path] = value;
    applyUpdate(made, u, arrayFilters, true);
    this.insert(made);
    return { matched: 0, upsertedId: made['_id'] };
  }

  remove(filter: Document, limit: number): number {
    const found = this.find({ filter, limit });
    for (const document of found) {
      this.#documents.delete(String(document['_id']));
      this.onChange(this.name, document, undefined);
    }
    return found.length;
  }
}
