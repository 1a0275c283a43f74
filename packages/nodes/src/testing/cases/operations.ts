import {
  inVersions,
  isShown,
  type Json,
  type JsonObject,
  type KindDescriptor,
  type ParameterDescriptor,
  rootScope,
} from '@weft/node-catalogue';

/** Parameters that select an operation. One may depend on those before it. */
const CHOOSING = [
  ...['resource', 'action', 'operation', 'mode', 'combineBy', 'combinationMode', 'respondWith', 'resume'],
  ...['errorType', 'aggregate', 'source', 'inputSource', 'deleteCommand', 'logic', 'category', 'randomDataType'],
] as const;

/** True for a top-level parameter that selects an operation. */
export function isChoosing(name: string): boolean {
  return CHOOSING.some((one) => one === name);
}

/**
 * All operations of a version of a kind according to its descriptor: the values of all parameters that select one,
 * joined (`file upload`). A single empty string for a kind with one operation.
 */
export function operationsOf(descriptor: KindDescriptor, version: number): readonly string[] {
  const all = CHOOSING.reduce<readonly JsonObject[]>(
    (chosen, name) => chosen.flatMap((before) => choicesAfter(before, name, descriptor, version)),
    [{}],
  );
  return all.map(nameOf);
}

/** The operation that these parameters select, by its name in `operationsOf`. */
export function operationOf(descriptor: KindDescriptor, version: number, parameters: JsonObject): string {
  return nameOf(
    CHOOSING.reduce<JsonObject>((before, name) => {
      const parameter = choosing(before, name, descriptor, version);
      if (parameter === undefined) return before;
      const value = Object.hasOwn(parameters, name) ? parameters[name] : parameter.default;
      return { ...before, [name]: value ?? '' };
    }, {}),
  );
}

function choicesAfter(
  before: JsonObject,
  name: string,
  descriptor: KindDescriptor,
  version: number,
): readonly JsonObject[] {
  const parameter = choosing(before, name, descriptor, version);
  if (parameter === undefined) return [before];
  return (parameter.options ?? [])
    .filter((option) => inVersions(option, version) && option.refused === undefined)
    .map(({ value }): JsonObject => ({ ...before, [name]: value }));
}

function choosing(
  before: JsonObject,
  name: string,
  descriptor: KindDescriptor,
  version: number,
): ParameterDescriptor | undefined {
  return descriptor.parameters.find(
    (one) => one.name === name && one.type === 'options' && isShown(one, rootScope(before, descriptor, version)),
  );
}

function nameOf(chosen: JsonObject): string {
  return Object.values<Json>(chosen).map(String).join(' ');
}
