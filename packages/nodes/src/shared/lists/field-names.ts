import type { Json, JsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import type { FieldAccess } from '../../set/include-fields';
import { isObject } from '@weft/service-kit/json';
import { booleanParameter, nameOf, namesParameter } from '../read-parameter';
import { getPath, setPath, unsetPath } from '../values/json-path';

/**
 * Field names in a parameter: a comma-separated string, an array, or the older form `{ fields: [{ fieldName }] }`.
 */
export function fieldNames(
  context: Pick<NodeContext, 'parameter' | 'defaultOf'>,
  path: string,
  itemIndex: number,
): string[] {
  const value = context.parameter(path, itemIndex);
  if (!isObject(value)) return namesParameter(context, path, itemIndex);
  const fields = Array.isArray(value['fields']) ? value['fields'] : [];
  return fields
    .filter(isObject)
    .map((field) => nameOf(field['fieldName']).trim())
    .filter((name) => name !== '');
}

/** As `fieldNames`, but requires at least one. @throws NodeFailure if there is none */
export function requiredFieldNames(
  context: Pick<NodeContext, 'parameter' | 'defaultOf'>,
  path: string,
  itemIndex: number,
  label: string,
): string[] {
  const names = fieldNames(context, path, itemIndex);
  if (names.length === 0)
    throw new NodeFailure(`No fields specified in '${label}'`, { itemIndex, description: 'Name at least one field.' });
  return names;
}

/** Accesses fields as the node's option `disableDotNotation` says. */
export function listAccess(context: Pick<NodeContext, 'parameter' | 'defaultOf'>): FieldAccess {
  if (!booleanParameter(context, 'options.disableDotNotation', 0))
    return { get: getPath, set: setPath, unset: unsetPath };
  return {
    get: (json: JsonObject, name: string): Json | undefined => (Object.hasOwn(json, name) ? json[name] : undefined),
    set: (json, name, value) => {
      if (name !== '__proto__') json[name] = value;
    },
    unset: (json, name) => {
      delete json[name];
    },
  };
}
