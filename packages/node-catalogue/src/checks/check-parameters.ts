import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type { CredentialReference, DefinitionError, NodeDefinition } from '../definition';
import type {
  CredentialDescriptor,
  GroupDescriptor,
  KindDescriptor,
  OptionDescriptor,
  ParameterDescriptor,
} from '../descriptor';
import { misspelledNames, unknownOptions } from './check-unknown';
import { inVersions } from '../descriptor';
import type { ParameterScope } from '../parameters';
import {
  isExpression,
  isShown,
  locatedValue,
  nestedScope,
  parameterOrDefault,
  plainValue,
  rootScope,
  versionOf,
} from '../parameters';

/**
 * Errors in the parameters of one node against its kind: values that are not among the options, unsupported options,
 * conditions that cannot be distinguished, missing required values and credentials, and expressions where none can be
 * resolved. Parameters that only count in another version or operation, and those without a meaning, are ignored.
 */
export function checkParameters(node: NodeDefinition, descriptor: KindDescriptor): DefinitionError[] {
  return findingsOf(node, descriptor).flatMap(({ isWarning, ...error }) => (isWarning ? [] : [error]));
}

/**
 * Options of one node that its kind has in no version and no operation. They have no effect, as in n8n; a newer release
 * of n8n may have added them.
 */
export function parameterWarnings(node: NodeDefinition, descriptor: KindDescriptor): DefinitionError[] {
  return findingsOf(node, descriptor).flatMap(({ isWarning, ...warning }) => (isWarning ? [warning] : []));
}

function findingsOf(
  node: NodeDefinition,
  descriptor: KindDescriptor,
): (DefinitionError & { readonly isWarning: boolean })[] {
  const version = versionOf(node, descriptor);
  const scope = rootScope(node.parameters, descriptor, version);
  const errors: ParameterError[] = [
    ...misspelledNames(node.parameters, descriptor.parameters).map(({ name, message }) => ({
      path: `parameters.${name}`,
      message,
    })),
    ...checkFields(descriptor.parameters, scope, 'parameters'),
  ];
  return [...errors, ...missingCredentials(node, descriptor, version)].map(({ path, message, isWarning = false }) => ({
    node: node.name,
    field: path,
    message: `Node "${node.name}": ${message}`,
    isWarning,
  }));
}

interface ParameterError {
  readonly path: string;
  readonly message: string;
  readonly isWarning?: boolean;
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
  if (descriptor.required !== true) return false;
  const given = descriptor.type === 'resourceLocator' ? locatedValue(value) : value;
  return given === undefined || given === null || given === '' || given === '=';
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
  const chosen = plainValue(value);
  const option = options.find((one) => one.value === chosen);
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
        `\`${path}\` is ${(JSON.stringify(chosen) ?? '').slice(0, 80)}, which is not supported. Supported: ` +
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
    ).map(({ name, message }) => ({ path: `${path}.${name}`, message, isWarning: true }));
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
    const type = plainValue(operator['type']);
    const operation = plainValue(operator['operation']);
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
  return descriptor.credentials
    .filter((one) => one.required && isCredentialShown(node, descriptor, version, one))
    .filter((one) =>
      Object.keys(one.shownWhen ?? {}).every(
        (name) => !isExpression(parameterOrDefault(node.parameters, descriptor, version, name)),
      ),
    )
    .filter(
      (one) =>
        node.credentials === undefined ||
        !Object.hasOwn(node.credentials, one.type) ||
        !isNamed(node.credentials[one.type]),
    )
    .map((one) => ({
      path: `credentials.${one.type}`,
      message: `a credential of type ${one.type} is required; set its id under \`credentials\`.`,
    }));
}

function isCredentialShown(
  node: NodeDefinition,
  descriptor: KindDescriptor,
  version: number,
  { shownWhen }: CredentialDescriptor,
): boolean {
  const scope = rootScope(node.parameters, descriptor, version);
  return isShown({ name: '', label: '', type: 'string', ...(shownWhen && { shownWhen }) }, scope);
}

/** True if a node may use its credential of a type; exported nodes also name credentials of earlier settings. */
export function usesCredential(node: NodeDefinition, descriptor: KindDescriptor, type: string): boolean {
  const version = versionOf(node, descriptor);
  const predefined = plainValue(node.parameters['nodeCredentialType']);
  return (
    predefined === type ||
    isExpression(predefined) ||
    descriptor.credentials.some((one) => one.type === type && isCredentialShown(node, descriptor, version, one))
  );
}

/** A credential that is only named may exist later: links and runs report the name. */
function isNamed(reference: CredentialReference | undefined): boolean {
  return (reference?.id ?? '') !== '' || (reference?.name ?? '') !== '';
}
