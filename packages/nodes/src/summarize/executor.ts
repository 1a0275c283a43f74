import { type NodeExecutor, output, type Item, type NodeContext, NodeFailure } from '@weft/engine';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { booleanParameter, objectsParameter, textParameter } from '../shared/read-parameter';
import type { FieldAccess } from '../set/include-fields';
import { type Aggregation, aggregate, plainName, readAggregation, resultName } from './aggregations';
import { fieldNames, listAccess } from '../shared/lists/field-names';

/** Aggregates the values of items: sums, counts, lists, by group. */
export const summarize: NodeExecutor = {
  kind: 'summarize',
  actsOutside: false,
  run: (context) =>
    output(
      summarizeItems(context, { keepsTypes: context.version > 1, needsFields: context.version < 1.1, form: 'own' }),
    ),
};

/** Items that have the same values in the fields they are grouped by. */
interface Group {
  /** Indexes of the items. */
  readonly members: readonly number[];
}

/** Groups by the values of one field, in the order in which these first occurred. */
interface Split {
  readonly field: string;
  readonly parts: ReadonlyMap<Json | undefined, Group | Split>;
}

/** Options for grouping and output of values. */
export interface SummaryForm {
  /** True: values of grouping fields keep their type, but arrays and objects are JSON. False: all are strings. */
  readonly keepsTypes: boolean;
  /** True: a field that no item has is an error. */
  readonly needsFields: boolean;
  /**
   * `itemLists`: groups are in the order of the keys of an object, and their fields precede the values. Empty values
   * are never counted; null is not an empty value of a grouping field.
   */
  readonly form: 'own' | 'itemLists';
  /** True: `min` and `max` ignore everything but numbers. */
  readonly numbersOnly?: boolean;
}

/** One item for each group of items, or one item with all groups. Linked to the items it is made of. */
export function summarizeItems(context: NodeContext, form: SummaryForm): Item[] {
  const aggregations = objectsParameter(context, 'fieldsToSummarize.values', 0).map((entry) =>
    aggregationOf(entry, form),
  );
  if (aggregations.every(({ field }) => field === ''))
    throw new NodeFailure("You need to add at least one aggregation to 'Fields to Summarize' with non empty 'Field'");
  const access = listAccess(context);
  if (form.needsFields) requireFields(context, aggregations, access);
  const splitBy = fieldNames(context, 'fieldsToSplitBy', 0);
  const members = context.items.map((_, index) => index);
  const valueOf = (index: number, name: string): Json | undefined =>
    groupValue(access.get(context.items[index]?.json ?? {}, name), form);
  const skipsEmpty = booleanParameter(context, 'options.skipEmptySplitFields', 0);
  const groups = splitItems(members, splitBy, { ...form, valueOf, skipsEmpty });
  const summarize = (group: Group): JsonObject => summaryOf(context.items, group, aggregations, access);
  if (textParameter(context, 'options.outputFormat', 0, 'separateItems') === 'singleItem')
    return [{ json: nested(groups, summarize), pairedItem: members.map((item) => ({ item })) }];
  return rowsOf(groups, summarize, form.form === 'itemLists');
}

/** @throws NodeFailure for a field that no item has, unless that is ignored */
function requireFields(context: NodeContext, aggregations: readonly Aggregation[], access: FieldAccess): void {
  const missing = aggregations.find(
    ({ field }) => field !== '' && context.items.every((item) => access.get(item.json, field) === undefined),
  );
  if (missing === undefined || booleanParameter(context, 'options.continueIfFieldNotFound', 0)) return;
  throw new NodeFailure(`The field '${missing.field}' does not exist in any items`);
}

function aggregationOf(entry: Record<string, unknown>, { form, numbersOnly = false }: SummaryForm): Aggregation {
  const read = { ...readAggregation(entry), numbersOnly };
  const isCount = read.kind === 'count' || read.kind === 'countUnique';
  return form === 'itemLists' && isCount ? { ...read, includeEmpty: false } : read;
}

/** The value of a grouping field in the form that identifies a group. */
function groupValue(value: Json | undefined, { form }: SummaryForm): Json | undefined {
  const isText = typeof value === 'object' && (value !== null || form === 'itemLists');
  return isText ? JSON.stringify(value) : value;
}

interface Splitting extends SummaryForm {
  readonly valueOf: (index: number, name: string) => Json | undefined;
  readonly skipsEmpty: boolean;
}

function splitItems(
  members: readonly number[],
  [field, ...others]: readonly string[],
  splitting: Splitting,
): Group | Split {
  if (field === undefined) return { members };
  const { form, keepsTypes, skipsEmpty, valueOf } = splitting;
  const found = new Map<Json | undefined, number[]>();
  for (const index of members) {
    const value = valueOf(index, field);
    const key = keepsTypes ? value : String(value);
    const tested = form === 'itemLists' ? value : key;
    if (skipsEmpty && typeof tested !== 'number' && !tested) continue;
    const group = found.get(key);
    if (group === undefined) found.set(key, [index]);
    else group.push(index);
  }
  const keys = form === 'itemLists' ? Object.keys(Object.fromEntries(found)) : [...found.keys()];
  return { field, parts: new Map(keys.map((key) => [key, splitItems(found.get(key) ?? [], others, splitting)])) };
}

function summaryOf(
  items: readonly Item[],
  { members }: Group,
  aggregations: readonly Aggregation[],
  access: FieldAccess,
): JsonObject {
  return Object.fromEntries(
    aggregations.map((aggregation): [string, Json] => [
      resultName(aggregation),
      aggregate(
        aggregation,
        members.map((index) => access.get(items[index]?.json ?? {}, aggregation.field)),
      ),
    ]),
  );
}

/** An item for each group. The fields of a group follow its values in reverse order, or precede them. */
function rowsOf(groups: Group | Split, summarize: (group: Group) => JsonObject, fieldsFirst: boolean): Item[] {
  if (!('parts' in groups)) return [{ json: summarize(groups), pairedItem: groups.members.map((item) => ({ item })) }];
  const name = plainName(groups.field);
  return [...groups.parts].flatMap(([value, part]) =>
    rowsOf(part, summarize, fieldsFirst).map(({ json, ...row }) => {
      const { [name]: _same, ...others } = json;
      if (value === undefined) return { ...row, json: others };
      return { ...row, json: fieldsFirst ? { [name]: value, ...json } : { ...json, [name]: value } };
    }),
  );
}

/** Nested groups, by the values of the grouping fields. */
function nested(groups: Group | Split, summarize: (group: Group) => JsonObject): JsonObject {
  if (!('parts' in groups)) return summarize(groups);
  return Object.fromEntries([...groups.parts].map(([value, part]) => [String(value), nested(part, summarize)]));
}
