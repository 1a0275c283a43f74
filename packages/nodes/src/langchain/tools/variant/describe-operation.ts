import {
  isExpression,
  isShown,
  type Json,
  type JsonObject,
  type KindDescriptor,
  parameterOrDefault,
  plainValue,
  rootScope,
} from '@weft/node-catalogue';

/**
 * A description of a tool node for a model, from the resource and operation that it selects: `Send message in Slack`.
 * The description of its kind if it selects none.
 */
export function describeOperation(parameters: JsonObject, descriptor: KindDescriptor, version: number): string {
  const name = descriptor.label.replace(/ tool$/, '');
  const [operation, resource] = ['operation', 'resource'].map((one) => labelOf(one, parameters, descriptor, version));
  if (operation === undefined) return descriptor.description;
  if (resource === undefined || operation.toLowerCase().includes(resource.toLowerCase()))
    return `${operation} in ${name}`;
  return `${operation} (${resource.toLowerCase()}) in ${name}`;
}

/** Label of the chosen option of a parameter; undefined if it is not chosen before the run. */
function labelOf(
  name: string,
  parameters: JsonObject,
  descriptor: KindDescriptor,
  version: number,
): string | undefined {
  const value: Json | undefined = plainValue(parameterOrDefault(parameters, descriptor, version, name));
  if (value === undefined || isExpression(value)) return undefined;
  const scope = rootScope(parameters, descriptor, version);
  const shown = descriptor.parameters.filter((one) => one.name === name && isShown(one, scope));
  const options = shown.flatMap(({ options: all = [] }) => all);
  return options.find((option) => option.value === value)?.label ?? (typeof value === 'string' ? value : undefined);
}
