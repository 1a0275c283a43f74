import type { Json, JsonObject, KindDescriptor, ParameterDescriptor, ParameterScope } from '@weft/node-catalogue';
import { isJsonObject, isShown, nestedScope, rootScope } from '@weft/node-catalogue';

/**
 * The parameters with every applicable default of the catalogue written out, including collections and entries.
 */
export function stateDefaults(parameters: JsonObject, descriptor: KindDescriptor, version: number): JsonObject {
  return filled(descriptor.parameters, rootScope(parameters, descriptor, version));
}

function filled(descriptors: readonly ParameterDescriptor[], scope: ParameterScope): JsonObject {
  const counting = descriptors.filter((one) => one.refused === undefined && isShown(one, scope));
  const given = counting.flatMap((one): [string, Json][] => {
    const value = Object.hasOwn(scope.own, one.name) ? scope.own[one.name] : one.default;
    return value === undefined ? [] : [[one.name, filledValue(one, value, scope)]];
  });
  return {
    ...Object.fromEntries(given.reverse()),
    ...Object.fromEntries(Object.entries(scope.own).filter(([name]) => !given.some(([known]) => known === name))),
  };
}

function filledValue({ type, fields, groups }: ParameterDescriptor, value: Json, scope: ParameterScope): Json {
  if (!isJsonObject(value)) return value;
  if (type === 'collection' && fields !== undefined) return filled(fields, nestedScope(scope, value, fields));
  const named = (groups ?? [])
    .filter((group) => Object.hasOwn(value, group.name))
    .map((group): [string, Json] => {
      const entries = value[group.name] ?? null;
      const fill = (entry: Json): Json =>
        isJsonObject(entry) ? filled(group.fields, nestedScope(scope, entry, group.fields)) : entry;
      return [group.name, Array.isArray(entries) ? entries.map(fill) : fill(entries)];
    });
  return { ...value, ...Object.fromEntries(named) };
}
