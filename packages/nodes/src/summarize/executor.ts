import { type NodeExecutor, output, type Item, type NodeContext, NodeFailure } from '@weft/engine';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { booleanParameter, objectsParameter, textParameter } from '../shared/read-parameter';
import type { FieldAccess } from '../set/include-fields';
import { type Aggregation, aggregate, plainName, readAggregation, resultName } from './aggregations';
import { fieldNames, listAccess } from '../shared/lists/field-names';
import { stableText } from '../shared/lists/json-keys';

/** Aggregates the values of items: sums, counts, lists, by group. */
export const summarize: NodeExecutor = {
  kind: 'summarize',
  actsOutside: false,
  run: (context) =>
    output(summarizeItems(context, { keepsTypes: context.version > 1, needsFields: context.version < 1.1 })),
};

/** Items that have the same values in the fields they are grouped by. */
interface Group {
  readonly values: readonly (Json | undefined)[];
  /** Indexes of the items. */
  readonly members: number[];
}

/** Settings for grouping and output of values. */
export interface SummaryForm {
  /** True: values of grouping fields retain their type, but lists and objects are JSON. False: all are strings. */
  readonly keepsTypes: boolean;
  /** True: a field that no item has is an error. */
  readonly needsFields: boolean;
}

/** One item for each group of items, or one item that holds all groups. Paired with the items it is made of. */
export function summarizeItems(context: NodeContext, form: SummaryForm): Item[] {
  const aggregations = objectsParameter(context, 'fieldsToSummarize.values', 0).map(readAggregation);
  if (aggregations.length === 0)
    throw new NodeFailure("You need to add at least one aggregation to 'Fields to Summarize'");
  const access = listAccess(context);
  if (form.needsFields && !requireFields(context, aggregations, access))
    return [{ json: {}, pairedItem: context.items.map((_, item) => ({ item })) }];
  const splitBy = fieldNames(context, 'fieldsToSplitBy', 0);
  const groups = groupItems(context, splitBy, access);
  const summaries = groups.map((group) => ({ group, json: summaryOf(context.items, group, aggregations, access) }));
  if (textParameter(context, 'options.outputFormat', 0, 'separateItems') === 'singleItem') {
    return [{ json: nested(summaries, splitBy.length), pairedItem: context.items.map((_, item) => ({ item })) }];
  }
  return summaries.map(({ group, json }) => ({
    json: { ...json, ...groupFields(splitBy, group, form) },
    pairedItem: group.members.map((item) => ({ item })),
  }));
}

/** False if a field is missing and that is ignored. @throws NodeFailure if it is not. */
function requireFields(context: NodeContext, aggregations: readonly Aggregation[], access: FieldAccess): boolean {
  const missing = aggregations.find(
    ({ field }) => field !== '' && context.items.every((item) => access.get(item.json, field) === undefined),
  );
  if (missing === undefined) return true;
  if (booleanParameter(context, 'options.continueIfFieldNotFound', 0)) return false;
  throw new NodeFailure(`The field '${missing.field}' does not exist in any items`);
}

function groupItems(context: NodeContext, splitBy: readonly string[], access: FieldAccess): Group[] {
  if (splitBy.length === 0) return [{ values: [], members: context.items.map((_, index) => index) }];
  const skipsEmpty = booleanParameter(context, 'options.skipEmptySplitFields', 0);
  const groups = new Map<string, Group>();
  context.items.forEach((item, index) => {
    const values = splitBy.map((name) => access.get(item.json, name));
    if (skipsEmpty && values.some((value) => typeof value !== 'number' && !value)) return;
    const key = values.map(stableText).join('\u0000');
    const group = groups.get(key) ?? { values, members: [] };
    groups.set(key, group);
    group.members.push(index);
  });
  return inOrderOfFirstFields([...groups.values()]);
}

/**
 * Groups with the same value of the first field are adjacent, and so on: in the order in which values first occurred.
 */
function inOrderOfFirstFields(groups: readonly Group[], depth = 0): Group[] {
  const first = groups[0];
  if (first === undefined || depth >= first.values.length) return [...groups];
  const parts = new Map<string, Group[]>();
  for (const group of groups) {
    const key = stableText(group.values[depth]);
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [group]);
    else part.push(group);
  }
  return [...parts.values()].flatMap((part) => inOrderOfFirstFields(part, depth + 1));
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

/** The fields of a group, the last one first, as n8n orders them. A value that is missing has no field. */
function groupFields(splitBy: readonly string[], { values }: Group, { keepsTypes }: SummaryForm): JsonObject {
  const fields = splitBy.flatMap((name, position): [string, Json][] => {
    const value = values[position];
    if (keepsTypes && value === undefined) return [];
    const isKept = keepsTypes && (typeof value !== 'object' || value === null);
    return [[plainName(name), isKept ? (value ?? null) : keyText(value)]];
  });
  return Object.fromEntries(fields.reverse());
}

/** Nested groups, by the values of the grouping fields. */
function nested(summaries: readonly { readonly group: Group; readonly json: JsonObject }[], depth: number): JsonObject {
  if (depth === 0) return summaries[0]?.json ?? {};
  const root: JsonObject = Object.create(null);
  for (const { group, json } of summaries) {
    let place = root;
    group.values.forEach((value, position) => {
      const key = keyText(value);
      if (position === group.values.length - 1) {
        place[key] = json;
        return;
      }
      const known = place[key];
      const next: JsonObject = typeof known === 'object' && known !== null && !Array.isArray(known) ? known : {};
      place[key] = next;
      place = next;
    });
  }
  return { ...root };
}

function keyText(value: Json | undefined): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
