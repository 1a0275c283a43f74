import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json';
import type { DefinitionError, NodeDefinition } from './definition';
import type { GroupDescriptor, KindDescriptor, OptionDescriptor, ParameterDescriptor } from './descriptor';
import { misspelledNames, unknownOptions } from './check-unknown';
import { inVersions } from './descriptor';
import type { ParameterScope } from './parameters';
import { isExpression, isShown, nestedScope, parameterOrDefault, rootScope, versionOf } from './parameters';

/**
 * Errors in the parameters of one node against its kind: values that are not among the options, unsupported or unknown
 * options, conditions that cannot be distinguished, missing required values and credentials, and expressions where none
 * can be resolved. Parameters that only count in another version or operation, and those without a meaning, are
 * ignored.
 */
export function checkParameters(node: NodeDefinition, descriptor: KindDescriptor): DefinitionError[] {
  const version = versionOf(node, descriptor);
  const scope = rootScope(node.parameters, descriptor, version);
  const errors = [
    ...misspelledNames(node.parameters, descriptor.parameters).map(({ name, message }) => ({
      path: `parameters.${name}`,
      message,
    })),
    ...checkFields(descriptor.parameters, scope, 'parameters'),
  ];
  return [...errors, ...missingCredentials(node, descriptor, version)].map(({ path, message }) => ({
    node: node.name,
    field: path,
    message: `Node "${node.name}": ${message}`,
  }));
}

interface ParameterError {
  readonly path: string;
  readonly message: string;
}

function checkFields(
  descriptors: readonly ParameterDescriptor[],
  scope: ParameterScope,
  path: string,
): ParameterError[] {
  return descriptors
    .filter((descriptor) => isShown(descriptor, scope))
    .flatMap((descriptor) => checkField(descriptor, scope, `${path}.${descriptor.name}`));
}

function checkField(descriptor: ParameterDescriptor, scope: ParameterScope, path: string): ParameterError[] {
  const stated = Object.hasOwn(scope.own, descriptor.name) ? scope.own[descriptor.name] : undefined;
  if (stated === undefined || stated === null)
    return isMissing(descriptor, descriptor.default) ? [missing(descriptor, path)] : [];
  if (descriptor.refused !== undefined && stated !== descriptor.default && stated !== '')
    return [{ path, message: descriptor.refused }];
  if (isExpression(stated)) {
    return descriptor.fixed === true
      ? [{ path, message: `\`${path}\` is read before a run starts, so it cannot contain an expression.` }]
      : [];
  }
  if (isMissing(descriptor, stated)) return [missing(descriptor, path)];
  return [
    ...checkOptions(descriptor, stated, scope, path),
    ...checkOperations(descriptor, stated, path),
    ...checkNested(descriptor, stated, scope, path),
  ];
}

function isMissing(descriptor: ParameterDescriptor, value: Json | undefined): boolean {
  return descriptor.required === true && (value === undefined || value === null || value === '' || value === '=');
}

function missing(descriptor: ParameterDescriptor, path: string): ParameterError {
  return { path, message: `\`${path}\` (${descriptor.label}) is required.` };
}

function checkOptions(
  descriptor: ParameterDescriptor,
  stated: Json,
  scope: ParameterScope,
  path: string,
): ParameterError[] {
  if (descriptor.options === undefined) return [];
  const options = descriptor.options.filter((option) => inVersions(option, scope.version));
  if (descriptor.type === 'multiOptions') {
    const chosen = Array.isArray(stated) ? stated : [stated];
    return chosen.flatMap((value) => checkOption(options, value, path));
  }
  return descriptor.type === 'options' ? checkOption(options, stated, path) : [];
}

function checkOption(options: readonly OptionDescriptor[], value: Json, path: string): ParameterError[] {
  const option = options.find((one) => one.value === value);
  if (option?.refused !== undefined) return [{ path, message: option.refused }];
  if (option !== undefined) return [];
  const known = options
    .filter((one) => one.refused === undefined)
    .map((one) => JSON.stringify(one.value))
    .join(', ');
  return [
    {
      path,
      message:
        `\`${path}\` is ${(JSON.stringify(value) ?? '').slice(0, 80)}, which is not supported. Supported: ` +
        `${known}.`,
    },
  ];
}

function checkNested(
  descriptor: ParameterDescriptor,
  stated: Json,
  scope: ParameterScope,
  path: string,
): ParameterError[] {
  if (!isJsonObject(stated)) return [];
  if (descriptor.fields !== undefined) {
    // A collection does not use what it does not state, so nothing in it is required.
    const present = descriptor.fields.filter((field) => Object.hasOwn(stated, field.name));
    const known = scope.ownDescriptors.filter((one) => one.name === descriptor.name).flatMap((one) => one.fields ?? []);
    const unknown = unknownOptions(
      stated,
      known,
      descriptor.fields.filter((field) => inVersions(field, scope.version)),
    ).map(({ name, message }) => ({ path: `${path}.${name}`, message }));
    return [...unknown, ...checkFields(present, nestedScope(scope, stated, descriptor.fields), path)];
  }
  return (descriptor.groups ?? []).flatMap((group) => {
    const value = Object.hasOwn(stated, group.name) ? stated[group.name] : undefined;
    const entries = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return entries.flatMap((entry, index) =>
      isJsonObject(entry)
        ? checkEntry(group, entry, scope, `${path}.${group.name}${Array.isArray(value) ? `[${index}]` : ''}`)
        : [],
    );
  });
}

function checkEntry(group: GroupDescriptor, entry: JsonObject, scope: ParameterScope, path: string): ParameterError[] {
  const misspelled = misspelledNames(entry, group.fields).map(({ name, message }) => ({
    path: `${path}.${name}`,
    message,
  }));
  return [...misspelled, ...checkFields(group.fields, nestedScope(scope, entry, group.fields), path)];
}

/** Operations in a filter's conditions that their type does not have: they would never hold. */
function checkOperations({ operations }: ParameterDescriptor, stated: Json, path: string): ParameterError[] {
  const conditions = operations !== undefined && isJsonObject(stated) ? stated['conditions'] : undefined;
  return (Array.isArray(conditions) ? conditions : []).flatMap((condition, index) => {
    const operator = isJsonObject(condition) && isJsonObject(condition['operator']) ? condition['operator'] : {};
    const { type, operation } = operator;
    if (typeof type !== 'string' || typeof operation !== 'string' || isExpression(operation)) return [];
    const known = operations !== undefined && Object.hasOwn(operations, type) ? operations[type] : undefined;
    if (known === undefined || known.some((one) => one.value === operation)) return [];
    const supported = known.map((one) => one.value).join(', ');
    return [
      {
        path: `${path}.conditions[${index}].operator.operation`,
        message:
          `values of type ${type} have no operation ${JSON.stringify(operation.slice(0, 80))}. Supported: ` +
          `${supported}.`,
      },
    ];
  });
}

function missingCredentials(node: NodeDefinition, descriptor: KindDescriptor, version: number): ParameterError[] {
  const scope = rootScope(node.parameters, descriptor, version);
  return descriptor.credentials
    .filter(
      (one) =>
        one.required &&
        isShown({ name: '', label: '', type: 'string', ...(one.shownWhen && { shownWhen: one.shownWhen }) }, scope),
    )
    .filter((one) =>
      Object.keys(one.shownWhen ?? {}).every(
        (name) => !isExpression(parameterOrDefault(node.parameters, descriptor, version, name)),
      ),
    )
    .filter(
      (one) =>
        node.credentials === undefined ||
        !Object.hasOwn(node.credentials, one.type) ||
        node.credentials[one.type]?.id === undefined,
    )
    .map((one) => ({
      path: `credentials.${one.type}`,
      message: `a credential of type ${one.type} is required; set its id under \`credentials\`.`,
    }));
}
