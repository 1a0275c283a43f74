import { matches } from './match';
import { compareAny, copyOf, type Document, isDocument, isEqual, listOf, type Value } from './values';

/** The array filters of an update by their names. */
type ElementFilters = ReadonlyMap<string, Document>;

const filtersOf = (arrayFilters: readonly Document[]): ElementFilters =>
  new Map(
    arrayFilters.map((filter) => {
      const [first = ''] = Object.keys(filter);
      const [name = ''] = first.split('.');
      const inner = Object.entries(filter).map(
        ([path, condition]) => [path.slice(name.length + 1), condition] as const,
      );
      return [name, Object.fromEntries(inner)];
    }),
  );

type Change = (holder: Document, key: string) => void;

/** Applies a change at a path; creates missing documents on the way if `creates`. */
const changeAt = (
  value: Document,
  [key = '', ...rest]: readonly string[],
  filters: ElementFilters,
  creates: boolean,
  change: Change,
): void => {
  if (rest.length === 0) return change(value, key);
  const [next = ''] = rest;
  const found = value[key];
  const named = /^\$\[(\w+)\]$/.exec(next);
  if (named !== null) {
    const filter = filters.get(named[1] ?? '') ?? {};
    for (const element of listOf(found))
      if (isDocument(element) && matches(element, filter)) changeAt(element, rest.slice(1), filters, creates, change);
    return;
  }
  if (isDocument(found)) return changeAt(found, rest, filters, creates, change);
  if (!creates || found !== undefined) return;
  const made: Document = {};
  value[key] = made;
  changeAt(made, rest, filters, creates, change);
};

const numberOf = (value: Value): number => (typeof value === 'number' ? value : 0);

const changeFor = (operator: string, operand: Value): Change => {
  switch (operator) {
    case '$set':
      return (holder, key) => {
        holder[key] = copyOf(operand);
      };
    case '$unset':
      return (holder, key) => {
        delete holder[key];
      };
    case '$inc':
      return (holder, key) => {
        holder[key] = numberOf(holder[key]) + numberOf(operand);
      };
    case '$min':
      return (holder, key) => {
        if (holder[key] === undefined || compareAny(operand, holder[key]) < 0) holder[key] = copyOf(operand);
      };
    case '$push': {
      const added = isDocument(operand) && '$each' in operand ? listOf(operand['$each']) : [operand];
      return (holder, key) => {
        holder[key] = [...listOf(holder[key]), ...added.map(copyOf)];
      };
    }
    case '$pull':
      return (holder, key) => {
        if (!Array.isArray(holder[key])) return;
        holder[key] = listOf(holder[key]).filter((element) =>
          isDocument(operand) ? !matches(element, operand) : !isEqual(element, operand),
        );
      };
    default:
      throw new Error(`The store in memory does not know the operator ${operator}.`);
  }
};

/** Changes a document as an update says. @throws Error for an operator that is not implemented */
export const applyUpdate = (
  document: Document,
  update: Document,
  arrayFilters: readonly Document[],
  isInsert: boolean,
): void => {
  const filters = filtersOf(arrayFilters);
  for (const [operator, fields] of Object.entries(update)) {
    if (operator === '$setOnInsert' && !isInsert) continue;
    if (!isDocument(fields)) throw new Error(`The update has no fields for ${operator}.`);
    for (const [path, operand] of Object.entries(fields)) {
      const change = changeFor(operator === '$setOnInsert' ? '$set' : operator, operand);
      changeAt(document, path.split('.'), filters, operator !== '$unset' && operator !== '$pull', change);
    }
  }
};
