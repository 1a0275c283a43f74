import { bySort } from './collection';
import { type Document, isDocument, type Value, valuesAt } from './values';
import { matches } from './match';

const evaluate = (document: Document, expression: Value): Value => {
  if (typeof expression === 'string' && expression.startsWith('$'))
    return valuesAt(document, expression.slice(1).split('.'))[0] ?? null;
  if (!isDocument(expression)) return expression;
  const condition = expression['$cond'];
  if (Array.isArray(condition)) return evaluate(document, condition[evaluate(document, condition[0]) === true ? 1 : 2]);
  const membership = expression['$in'];
  if (Array.isArray(membership)) {
    const [wanted, list]: readonly Value[] = membership;
    return Array.isArray(list) && list.includes(evaluate(document, wanted));
  }
  return Object.fromEntries(Object.entries(expression).map(([name, inner]) => [name, evaluate(document, inner)]));
};

const group = (documents: readonly Document[], stage: Document): Document[] => {
  const groups = new Map<string, Document>();
  const { _id: by, ...sums } = stage;
  for (const document of documents) {
    const id = evaluate(document, by);
    const key = JSON.stringify(id);
    const found = groups.get(key) ?? { _id: id };
    groups.set(key, found);
    for (const [name, accumulator] of Object.entries(sums)) {
      if (!isDocument(accumulator) || !('$sum' in accumulator))
        throw new Error(`The store in memory only sums groups, and not ${name}.`);
      const added = evaluate(document, accumulator['$sum']);
      found[name] = Number(found[name] ?? 0) + (typeof added === 'number' ? added : 0);
    }
  }
  return [...groups.values()];
};

/** Runs an aggregation. @throws Error for a stage that is not implemented */
export const aggregate = (all: readonly Document[], pipeline: readonly Document[]): Document[] => {
  let documents = [...all];
  for (const stage of pipeline) {
    const [[name, operand] = ['', undefined]] = Object.entries(stage);
    if (name === '$match' && isDocument(operand)) documents = documents.filter((one) => matches(one, operand));
    else if (name === '$limit') documents = documents.slice(0, Number(operand));
    else if (name === '$group' && isDocument(operand)) documents = group(documents, operand);
    else if (name === '$sort' && isDocument(operand)) documents.sort(bySort(operand));
    else throw new Error(`The store in memory does not know the stage ${name}.`);
  }
  return documents;
};
