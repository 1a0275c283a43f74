import {
  field,
  isJsonObject,
  isShown,
  nestedScope,
  type Json,
  type JsonObject,
  type ParameterDescriptor,
  type ParameterScope,
} from '@weft/node-catalogue/definitions';
import { showPath } from '../field-paths';
import type { Path } from '../json/tree';
import { type Control, type FormEntry, type FormGroup } from './field';
import { readFields, readOthers, type FormContext } from './read-form';

/** The groups of a fixed collection with their entries. */
export function readGroups(
  descriptor: ParameterDescriptor,
  value: JsonObject,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): Control {
  const descriptors = descriptor.groups ?? [];
  const isMultiple = descriptor.multiple === true;
  const groups = descriptors.map((group): FormGroup => {
    const place = [...path, group.name];
    const stored = field(value, group.name);
    const isList = Array.isArray(stored) || (stored === undefined && isMultiple);
    const found: readonly (readonly [Path, Json])[] = Array.isArray(stored)
      ? stored.map((entry, index) => [[...place, index], entry])
      : stored === undefined
        ? []
        : [[place, stored]];
    return {
      group,
      path: place,
      isList,
      entries: found.map(([at, entry]) => readEntry(group.fields, entry, scope, at, context)),
      canAdd: isList || stored === undefined,
      blank: blankEntry(group.fields, scope),
    };
  });
  const edited = groups.filter(({ entries }) => entries.length > 0).map(({ group }) => group.name);
  // An empty list shows as a group without entries.
  const empty = descriptors.map(({ name }) => name).filter((name) => Array.isArray(value[name]));
  return { kind: 'groups', groups, others: readOthers(value, path, [...edited, ...empty], descriptors, context) };
}

function readEntry(
  fields: readonly ParameterDescriptor[],
  entry: Json,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): FormEntry {
  const key = showPath(path);
  if (!isJsonObject(entry))
    return {
      path,
      key,
      fields: [],
      others: [{ path, key, name: 'value', value: entry, reason: 'unknown', error: undefined }],
    };
  return { path, key, ...readFields(fields, nestedScope(scope, entry, fields), path, context) };
}

/** A new entry: the defaults of the fields that are shown with them, as other editors store it. */
export function blankEntry(fields: readonly ParameterDescriptor[], scope: ParameterScope): JsonObject {
  const entry: Record<string, Json> = {};
  for (const one of fields)
    if (one.default !== undefined && !Object.hasOwn(entry, one.name) && isShown(one, nestedScope(scope, entry, fields)))
      entry[one.name] = one.default;
  return entry;
}
