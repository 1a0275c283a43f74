import type { JsonObject } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';
import { booleanParameter, choiceParameter, namesParameter } from '../shared/read-parameter';
import { clearPath, getPath, setPath, unsetPath } from '../shared/values/json-path';

/** Accesses fields by path, or by their literal name. */
export interface FieldAccess {
  get(json: JsonObject, name: string): JsonObject[string] | undefined;
  set(json: JsonObject, name: string, value: JsonObject[string]): void;
  unset(json: JsonObject, name: string): void;
}

/** Dots in names lead into nested objects. */
const BY_PATH: FieldAccess = { get: getPath, set: setPath, unset: unsetPath };

/** Names are literal. */
const BY_NAME: FieldAccess = {
  get: (json, name) => (Object.hasOwn(json, name) ? json[name] : undefined),
  set: (json, name, value) => {
    if (name !== '__proto__') json[name] = value;
  },
  unset: (json, name) => {
    delete json[name];
  },
};

/** The access that the option `dotNotation` of a node selects. */
export function fieldAccess(context: Pick<NodeContext, 'parameter' | 'defaultOf'>, itemIndex: number): FieldAccess {
  return booleanParameter(context, 'options.dotNotation', itemIndex, true) ? BY_PATH : BY_NAME;
}

/** Sets the value of a field to undefined: it is absent, and the containers on its path are created. */
export function clearField(json: JsonObject, name: string, access: FieldAccess): void {
  if (access === BY_PATH) clearPath(json, name);
  else access.unset(json, name);
}

/** The fields of the input item that a Set node (3.x) includes, in a new object. */
export function includedFields(context: NodeContext, itemIndex: number, access: FieldAccess): JsonObject {
  const json = context.items[itemIndex]?.json ?? {};
  if (context.version >= 3.3 && !booleanParameter(context, 'includeOtherFields', itemIndex)) return {};
  switch (choiceParameter(context, 'include', itemIndex, ['all', 'none', 'selected', 'except'], 'all')) {
    case 'none':
      return {};
    case 'all':
      return { ...json };
    case 'selected':
      return selected(json, namesParameter(context, 'includeFields', itemIndex), access);
    case 'except': {
      const rest = { ...json };
      for (const name of namesParameter(context, 'excludeFields', itemIndex)) access.unset(rest, name);
      return rest;
    }
  }
}

function selected(json: JsonObject, names: readonly string[], access: FieldAccess): JsonObject {
  const kept: JsonObject = {};
  for (const name of names) {
    const value = access.get(json, name);
    // The value at a path is stored under the last name of the path.
    if (value !== undefined) access.set(kept, access === BY_PATH ? lastNameOf(name) : name, value);
  }
  return kept;
}

function lastNameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
