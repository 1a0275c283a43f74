import {
  checkParameters,
  field,
  isShown,
  rootScope,
  versionOf,
  type Json,
  type JsonObject,
  type KindDescriptor,
  type NodeDefinition,
  type ParameterDescriptor,
  type ParameterScope,
} from '@weft/node-catalogue/definitions';
import { showPath } from '../field-paths';
import type { Path } from '../json/tree';
import { controlOf } from './control-of';
import { type Control, type FormField, type NodeForm, type OtherValue } from './field';

/** Facts that all parts of one form share. */
export interface FormContext {
  readonly errors: ReadonlyMap<string, string>;
}

/**
 * The form of a node's parameters: the controls of all parameters that count for its version and settings, and the
 * other values that are stored. Errors are those that activation reports.
 */
export function readForm(node: NodeDefinition, kind: KindDescriptor): NodeForm {
  const errors = errorsOf(node, kind);
  const scope = rootScope(node.parameters, kind, versionOf(node, kind));
  const { fields, others } = readFields(kind.parameters, scope, [], { errors });
  return { fields, others, errors };
}

/** Messages by the path of the parameter, or by `credentials.<type>`. */
function errorsOf(node: NodeDefinition, kind: KindDescriptor): Map<string, string> {
  const errors = new Map<string, string>();
  const prefix = `Node "${node.name}": `;
  for (const { field, message } of checkParameters(node, kind)) {
    const key = field.startsWith('parameters.') ? field.slice('parameters.'.length) : field;
    const text = message.startsWith(prefix) ? message.slice(prefix.length) : message;
    // The field that shows the message has the name already; its label begins the sentence.
    const rest = text.replace(`\`${field}\` `, '').replace(/^\(([^)]{1,200})\) /, '$1 ');
    if (!errors.has(key)) errors.set(key, `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`);
  }
  return errors;
}

/** The shown fields of an object, and its values that no field edits. */
export function readFields(
  descriptors: readonly ParameterDescriptor[],
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): { readonly fields: readonly FormField[]; readonly others: readonly OtherValue[] } {
  const shown = shownParameters(descriptors, scope);
  const fields = shown.map((one) => readField(one, scope, [...path, one.name], context));
  const names = shown.map(({ name }) => name);
  return { fields, others: readOthers(scope.own, path, names, descriptors, context) };
}

/** The parameters that count for an object. Of several forms with the same name, the first one. */
export function shownParameters(
  descriptors: readonly ParameterDescriptor[],
  scope: ParameterScope,
): ParameterDescriptor[] {
  const shown = new Map<string, ParameterDescriptor>();
  for (const one of descriptors) if (!shown.has(one.name) && isShown(one, scope)) shown.set(one.name, one);
  return [...shown.values()];
}

/** Values of an object apart from the edited ones. */
export function readOthers(
  own: JsonObject,
  path: Path,
  edited: readonly string[],
  descriptors: readonly { readonly name: string }[],
  { errors }: FormContext,
): OtherValue[] {
  return Object.entries(own)
    .filter(([name]) => !edited.includes(name))
    .map(([name, value]) => {
      const place = [...path, name];
      const key = showPath(place);
      const isKnown = descriptors.some((one) => one.name === name);
      return { path: place, key, name, value, reason: isKnown ? 'hidden' : 'unknown', error: errors.get(key) };
    });
}

/** The field of one parameter. */
export function readField(
  descriptor: ParameterDescriptor,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): FormField {
  return fieldOf(descriptor, field(scope.own, descriptor.name), scope, path, context);
}

/** The field of a value, wherever it is stored. */
export function fieldOf(
  descriptor: ParameterDescriptor,
  stored: Json | undefined,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): FormField {
  const value = stored ?? descriptor.default;
  const key = showPath(path);
  const control = controlOf(descriptor, value, scope, path, context);
  return {
    path,
    key,
    descriptor,
    stored,
    value,
    control,
    canSwitch: descriptor.fixed !== true && (control.kind === 'expression' || isSwitched(descriptor, control)),
    error: context.errors.get(key),
  };
}

/** Parts of collections, groups, filters, locators and mappings are expressions; the whole is not switched. */
function isSwitched({ type }: ParameterDescriptor, { kind }: Control): boolean {
  return (
    !['locator', 'mapper'].includes(kind) &&
    !['collection', 'fixedCollection', 'filter', 'assignmentCollection'].includes(type)
  );
}
