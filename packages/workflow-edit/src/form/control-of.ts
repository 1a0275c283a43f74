import {
  inVersions,
  isEqualJson,
  isJsonObject,
  nestedScope,
  type Json,
  type ParameterDescriptor,
  type ParameterScope,
} from '@weft/node-catalogue/definitions';
import type { Path } from '../json/tree';
import type { Choice, Control } from './field';
import { readAssignments, readFilter } from './conditions';
import { readGroups } from './groups';
import { locatorControl } from './locator';
import { readMapper } from './mapper';
import { readField, readOthers, shownParameters, type FormContext } from './read-form';

/** The control that suits a value. @param value the stored one or the default */
export function controlOf(
  descriptor: ParameterDescriptor,
  value: Json | undefined,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): Control {
  if (typeof value === 'string' && value.startsWith('=') && descriptor.fixed !== true)
    return { kind: 'expression', text: value };
  switch (descriptor.type) {
    case 'string':
      return stringControl(descriptor, value, scope, path, context);
    case 'number':
      return numberControl(value);
    case 'boolean':
      return booleanControl(value);
    case 'options':
      return typeof value === 'object' && value !== null
        ? jsonValue(value)
        : { kind: 'select', choices: choicesOf(descriptor, value === undefined ? [] : [value], scope) };
    case 'multiOptions':
      return checksControl(descriptor, value, scope);
    case 'dateTime':
      return typeof value === 'string' || value === undefined || value === null
        ? { kind: 'dateTime', text: value ?? '' }
        : jsonValue(value);
    case 'json':
      return jsonControl(descriptor, value, scope, path, context);
    case 'collection':
      return collectionControl(descriptor, value, scope, path, context);
    case 'fixedCollection':
      return value === undefined || value === null || isJsonObject(value)
        ? readGroups(descriptor, value ?? {}, scope, path, context)
        : jsonValue(value);
    case 'filter':
      return readFilter(descriptor, value, scope, path, context) ?? jsonValue(value);
    case 'resourceLocator':
      return locatorControl(descriptor, value, scope, path, context) ?? jsonValue(value);
    case 'resourceMapper':
      return readMapper(value, scope, path, context) ?? jsonValue(value);
    case 'assignmentCollection':
      return readAssignments(value, scope, path, context) ?? jsonValue(value);
  }
}

/** JSON as people write it. */
export function prettyJson(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, undefined, 2);
}

function jsonValue(value: Json | undefined): Control {
  return { kind: 'json', text: prettyJson(value), isText: false };
}

function stringControl(
  descriptor: ParameterDescriptor,
  value: Json | undefined,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): Control {
  const locator = locatorControl(descriptor, value, scope, path, context);
  if (locator !== undefined) return locator;
  if (typeof value === 'object' && value !== null) return jsonValue(value);
  return { kind: 'text', text: value === undefined || value === null ? '' : String(value), editor: descriptor.editor };
}

function numberControl(value: Json | undefined): Control {
  if (value === undefined || value === null || value === '') return { kind: 'number', number: undefined };
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? { kind: 'number', number } : jsonValue(value);
}

function booleanControl(value: Json | undefined): Control {
  if (value === undefined || value === null) return { kind: 'switch', isOn: false, isText: false };
  if (typeof value === 'boolean') return { kind: 'switch', isOn: value, isText: false };
  if (value === 'true' || value === 'false') return { kind: 'switch', isOn: value === 'true', isText: true };
  return jsonValue(value);
}

function checksControl(descriptor: ParameterDescriptor, value: Json | undefined, scope: ParameterScope): Control {
  const chosen = Array.isArray(value) ? value : value === undefined || value === null || value === '' ? [] : [value];
  return chosen.some((one) => typeof one === 'object' && one !== null)
    ? jsonValue(value)
    : { kind: 'checks', choices: choicesOf(descriptor, chosen, scope) };
}

/** The options of the node's version, then chosen values that are not among them. */
function choicesOf({ options = [] }: ParameterDescriptor, chosen: readonly Json[], scope: ParameterScope): Choice[] {
  const known = options
    .filter((option) => inVersions(option, scope.version))
    .map((option) => ({ option, isChosen: chosen.some((one) => isEqualJson(one, option.value)), isKnown: true }));
  const unknown = chosen
    .filter((value) => !known.some(({ option }) => isEqualJson(option.value, value)))
    .map((value) => ({ option: { value, label: labelOf(value) }, isChosen: true, isKnown: false }));
  return [...known, ...unknown];
}

function labelOf(value: Json): string {
  return value === '' ? 'Choose …' : typeof value === 'string' ? value : JSON.stringify(value);
}

function jsonControl(
  descriptor: ParameterDescriptor,
  value: Json | undefined,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): Control {
  const locator = locatorControl(descriptor, value, scope, path, context);
  if (locator !== undefined) return locator;
  return typeof value === 'string' || value === undefined
    ? { kind: 'json', text: value ?? '', isText: true }
    : jsonValue(value);
}

function collectionControl(
  descriptor: ParameterDescriptor,
  value: Json | undefined,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): Control {
  const object = value ?? {};
  if (!isJsonObject(object)) return jsonValue(value);
  const descriptors = descriptor.fields ?? [];
  const inner = nestedScope(scope, object, descriptors);
  const shown = shownParameters(descriptors, inner);
  const present = shown.filter(({ name }) => Object.hasOwn(object, name));
  return {
    kind: 'collection',
    fields: present.map((one) => readField(one, inner, [...path, one.name], context)),
    absent: shown.filter(({ name }) => !Object.hasOwn(object, name)),
    others: readOthers(
      object,
      path,
      present.map(({ name }) => name),
      descriptors,
      context,
    ),
  };
}
