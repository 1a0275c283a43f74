import {
  booleanField,
  field,
  isJsonObject,
  listField,
  objectField,
  textField,
  type Json,
  type JsonObject,
  type OperationDescriptor,
  type OperationsByType,
  type ParameterDescriptor,
  type ParameterScope,
  type ParameterType,
} from '@weft/node-catalogue/definitions';
import { showPath } from '../field-paths';
import type { Path } from '../json/tree';
import { type Control, type FormAssignment, type FormCondition } from './field';
import { fieldOf, type FormContext } from './read-form';

/** Types of assignments, with their labels. */
export const ASSIGNMENT_TYPES = [
  ['string', 'String'],
  ['number', 'Number'],
  ['boolean', 'Boolean'],
  ['array', 'Array'],
  ['object', 'Object'],
  ['binary', 'Binary'],
] as const;

const CONTROL_TYPES: ReadonlyMap<string, ParameterType> = new Map([
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['dateTime', 'dateTime'],
  ['array', 'json'],
  ['object', 'json'],
]);

/** The type of control for a value of a type of the language of conditions. */
function controlType(type: string): ParameterType {
  return CONTROL_TYPES.get(type) ?? 'string';
}

/** True for an absent value, and for an object whose field is absent or an array of objects. */
function holdsList(value: Json | undefined, name: string): value is JsonObject | undefined | null {
  if (value === undefined || value === null) return true;
  if (!isJsonObject(value)) return false;
  const list = field(value, name);
  return list === undefined || (Array.isArray(list) && list.every(isJsonObject));
}

/** A filter; undefined for a value of another form. */
export function readFilter(
  { operations = {} }: ParameterDescriptor,
  value: Json | undefined,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): Control | undefined {
  if (!holdsList(value, 'conditions')) return undefined;
  return {
    kind: 'filter',
    combinator: textField(value, 'combinator') ?? 'and',
    ignoresCase: booleanField(objectField(value, 'options'), 'caseSensitive') === false,
    operations: Object.entries(operations),
    conditions: listField(value, 'conditions').map((condition, index) =>
      readCondition(operations, condition, scope, [...path, 'conditions', index], context),
    ),
  };
}

function readCondition(
  operations: OperationsByType,
  condition: Json,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): FormCondition {
  const key = showPath(path);
  const type = textField(field(condition, 'operator'), 'type') ?? 'string';
  const operation = textField(field(condition, 'operator'), 'operation') ?? 'equals';
  const isSingle = operationOf(operations, type, operation)?.singleValue === true;
  const part = (name: string, label: string, partType: ParameterType) =>
    fieldOf(
      { name, label, type: partType, placeholder: label },
      field(condition, name),
      scope,
      [...path, name],
      context,
    );
  // The length of an array is compared with a number.
  const rightType = type === 'array' && operation.startsWith('length') ? 'number' : controlType(type);
  return {
    path,
    key,
    type,
    operation,
    left: part('leftValue', 'First value', 'string'),
    right: isSingle
      ? undefined
      : part('rightValue', 'Second value', type === 'array' && rightType === 'json' ? 'string' : rightType),
    error: context.errors.get(`${key}.operator.operation`),
  };
}

function operationOf(operations: OperationsByType, type: string, operation: string): OperationDescriptor | undefined {
  return (Object.hasOwn(operations, type) ? operations[type] : undefined)?.find(({ value }) => value === operation);
}

/** The `operator` of a condition. */
export function operatorOf(operations: OperationsByType, type: string, operation: string): JsonObject {
  const isSingle = operationOf(operations, type, operation)?.singleValue === true;
  return { type, operation, ...(isSingle && { singleValue: true }) };
}

/** A new condition. @param id unique in the filter */
export function blankCondition(id: string): JsonObject {
  return { id, leftValue: '', rightValue: '', operator: { type: 'string', operation: 'equals' } };
}

/** A filter without conditions, to which the first one is added. */
export function blankFilter(): JsonObject {
  return {
    options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
    conditions: [],
    combinator: 'and',
  };
}

/** Assignments; undefined for a value of another form. */
export function readAssignments(
  value: Json | undefined,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): Control | undefined {
  if (!holdsList(value, 'assignments')) return undefined;
  const rows = listField(value, 'assignments').map((row, index): FormAssignment => {
    const place = [...path, 'assignments', index];
    const type = textField(row, 'type') ?? 'string';
    const part = (name: string, label: string, partType: ParameterType) =>
      fieldOf({ name, label, type: partType, placeholder: label }, field(row, name), scope, [...place, name], context);
    return {
      path: place,
      key: showPath(place),
      name: part('name', 'Name', 'string'),
      type,
      value: part('value', 'Value', controlType(type)),
    };
  });
  return { kind: 'assignments', rows };
}

/** A new assignment. @param id unique in the collection */
export function blankAssignment(id: string, name = '', value: Json = ''): JsonObject {
  return { id, name, value, type: 'string' };
}
