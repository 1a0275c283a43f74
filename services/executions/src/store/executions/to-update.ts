import {
  oneOf,
  type Changes,
  type Comparison,
  type Condition,
  type Conditions,
  type Fields,
  type Write,
} from '../../domain/state/write';

const isComparison = (condition: Condition): condition is Comparison =>
  typeof condition === 'object' && !(condition instanceof Date);

const toOperator = (comparison: Comparison): Fields => {
  switch (comparison.is) {
    case 'absent':
      return { $exists: false };
    case 'oneOf':
      return { $in: comparison.values };
    case 'absentOrOneOf':
      return { $in: [null, ...comparison.values] };
    case 'atMost':
      return { $lte: comparison.value };
    case 'before':
      return { $lt: comparison.time };
    case 'notBetween':
      return { $not: { $gt: comparison.after, $lte: comparison.until } };
  }
};

/** Replaces comparisons with operators. Changing parts of a copy of the conditions is fastest. */
const withOperators = (conditions: Record<string, unknown> & Conditions): Record<string, unknown> => {
  const filter: Record<string, unknown> = conditions;
  for (const path of Object.keys(conditions)) {
    const condition = conditions[path];
    if (isComparison(condition)) filter[path] = toOperator(condition);
  }
  return filter;
};

/** MongoDB filter for the document and the conditions of a write. */
export const toFilter = (executionId: string, { where }: Write): Record<string, unknown> =>
  withOperators({ _id: executionId, ...where });

/** The same for several documents. */
export const toFilterOfMany = (executionIds: readonly string[], { where }: Write): Record<string, unknown> =>
  withOperators({ _id: oneOf(executionIds), ...where });

/** Name by which an update refers to the array elements that its array filter selects. */
const ELEMENT = 'element';

const toSet = ({ set, setElements }: Changes, batchId: string): Fields => {
  const fields: Record<string, unknown> = { ...set, batchId };
  if (setElements === undefined) return fields;
  for (const [name, value] of Object.entries(setElements.set))
    fields[`${setElements.list}.$[${ELEMENT}].${name}`] = value;
  return fields;
};

const toUnset = (paths: readonly string[]): Fields => {
  const fields: Record<string, ''> = {};
  for (const path of paths) fields[path] = '';
  return fields;
};

const toPush = (append: NonNullable<Changes['append']>): Fields => {
  const fields: Record<string, unknown> = {};
  for (const [list, value] of Object.entries(append)) fields[list] = Array.isArray(value) ? { $each: value } : value;
  return fields;
};

const toPull = (removeElements: NonNullable<Changes['removeElements']>): Fields => {
  const fields: Record<string, unknown> = {};
  for (const [list, conditions] of Object.entries(removeElements)) fields[list] = withOperators({ ...conditions });
  return fields;
};

/** True if an operator is not empty: servers differ on empty ones. */
const isUsed = (fields: object | undefined): boolean => {
  for (const _path in fields) return true;
  return false;
};

/** MongoDB update for the changes of a write, marked with the batch that it was sent in. */
export const toUpdate = ({ changes }: Write, batchId: string): Record<string, Fields> => {
  const { remove, inc, append, lower, removeElements } = changes;
  const update: Record<string, Fields> = { $set: toSet(changes, batchId) };
  if (remove.length > 0) update['$unset'] = toUnset(remove);
  if (isUsed(inc)) update['$inc'] = inc;
  if (append !== undefined && isUsed(append)) update['$push'] = toPush(append);
  if (lower !== undefined && isUsed(lower)) update['$min'] = lower;
  if (removeElements !== undefined && isUsed(removeElements)) update['$pull'] = toPull(removeElements);
  return update;
};

/** MongoDB array filters for the elements that a write changes; undefined if it changes none. */
export const toArrayFilters = ({ changes: { setElements } }: Write): Record<string, unknown>[] | undefined => {
  if (setElements === undefined) return undefined;
  const named = Object.entries(setElements.where).map(
    ([name, condition]) => [`${ELEMENT}.${name}`, condition] as const,
  );
  return [withOperators(Object.fromEntries(named))];
};
