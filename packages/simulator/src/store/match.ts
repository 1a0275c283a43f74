import { compareSame, type Document, isDocument, isEqual, listOf, type Value, valuesAt } from './values';

const isOperators = (condition: Value): condition is Document => {
  if (!isDocument(condition)) return false;
  const [first] = Object.keys(condition);
  return first !== undefined && first.startsWith('$');
};

/** The elements of arrays count as separate values. */
const withElements = (values: readonly Value[]): Value[] =>
  values.flatMap((value) => (Array.isArray(value) ? [value, ...value] : [value]));

const holds = (values: readonly Value[], operator: string, operand: Value): boolean => {
  const all = withElements(values);
  const some = (decide: (order: number) => boolean): boolean =>
    all.some((value) => {
      const order = compareSame(value, operand);
      return order !== undefined && decide(order);
    });
  const equals = (wanted: Value): boolean =>
    all.some((value) => isEqual(value, wanted)) || (wanted === null && values.length === 0);
  switch (operator) {
    case '$exists':
      return values.length > 0 === Boolean(operand);
    case '$eq':
      return equals(operand);
    case '$ne':
      return !equals(operand);
    case '$in':
      return listOf(operand).some(equals);
    case '$nin':
      return !listOf(operand).some(equals);
    case '$lt':
      return some((order) => order < 0);
    case '$lte':
      return some((order) => order <= 0);
    case '$gt':
      return some((order) => order > 0);
    case '$gte':
      return some((order) => order >= 0);
    case '$not':
      return !meetsCondition(values, operand);
    case '$elemMatch':
      return values.some((value) => listOf(value).some((element) => isDocument(operand) && matches(element, operand)));
    default:
      throw new Error(`The store in memory does not know the operator ${operator}.`);
  }
};

const meetsCondition = (values: readonly Value[], condition: Value): boolean =>
  isOperators(condition)
    ? Object.entries(condition).every(([operator, operand]) => holds(values, operator, operand))
    : holds(values, '$eq', condition ?? null);

/** True if a document meets a filter. @throws Error for an operator that is not implemented */
export const matches = (document: Value, filter: Document): boolean =>
  Object.entries(filter).every(([path, condition]) => {
    if (path === '$or') return listOf(condition).some((one) => isDocument(one) && matches(document, one));
    if (path === '$and') return listOf(condition).every((one) => isDocument(one) && matches(document, one));
    return meetsCondition(valuesAt(document, path.split('.')), condition);
  });
