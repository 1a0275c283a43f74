import {
  booleanField,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
  type Json,
} from '@weft/service-kit/json-values';
import type { FormField as FormFieldMessage } from '@weft/proto/channels';
import { isExpression, plainText } from '../parameters';

/** Type of input of a form field. `hidden` and `html` have none. */
export type FormFieldType =
  | 'text'
  | 'textarea'
  | 'number'
  | 'email'
  | 'password'
  | 'date'
  | 'dropdown'
  | 'checkbox'
  | 'radio'
  | 'file'
  | 'hidden'
  | 'html';

/** One field of a form, with what its value becomes in an item. */
export interface FormField extends Omit<FormFieldMessage, 'type'> {
  readonly type: FormFieldType;
  /** Format of a date in the item, in the notation of luxon; empty: `yyyy-MM-dd`. */
  readonly dateFormat: string;
}

/** Maximum number of fields of one form. */
export const MAX_FORM_FIELDS = 100;
/** Maximum number of choices of one field. */
export const MAX_FORM_OPTIONS = 1_000;

const TYPES: ReadonlyMap<string, FormFieldType> = new Map([
  ['text', 'text'],
  ['textarea', 'textarea'],
  ['number', 'number'],
  ['email', 'email'],
  ['password', 'password'],
  ['date', 'date'],
  ['dropdown', 'dropdown'],
  ['checkbox', 'checkbox'],
  ['radio', 'radio'],
  ['file', 'file'],
  ['hiddenField', 'hidden'],
  ['html', 'html'],
]);

/** The first version whose key is a field's own name instead of its label. */
const NAMES_SINCE = 2.4;

/**
 * Reads the fields of a form from `formFields.values` or from a JSON list of them, by the rules of that node version.
 * Never throws: entries that are not fields are left out, an unknown type is text.
 */
export function readFormFields(values: readonly Json[], version: number): FormField[] {
  return values.slice(0, MAX_FORM_FIELDS).flatMap((value) => (isJsonObject(value) ? [readField(value, version)] : []));
}

function readField(value: Json, version: number): FormField {
  const type = TYPES.get(text(value, 'fieldType')) ?? 'text';
  return {
    name: nameOf(value, type, version),
    label: text(value, 'fieldLabel') || text(value, 'fieldName'),
    type,
    required: booleanField(value, 'requiredField') ?? false,
    placeholder: text(value, 'placeholder'),
    initial: initialOf(value, type),
    options: optionsOf(value),
    multiple: isMultiple(value, type),
    ...limitsOf(value),
    accept: text(value, 'acceptFileTypes'),
    dateFormat: text(value, 'formatDate'),
  };
}

function nameOf(value: Json, type: FormFieldType, version: number): string {
  if (type === 'html') return text(value, 'elementName');
  const name = text(value, 'fieldName');
  const label = text(value, 'fieldLabel');
  return type === 'hidden' || version >= NAMES_SINCE ? name || label : label || name;
}

function initialOf(value: Json, type: FormFieldType): string {
  if (type === 'html') return text(value, 'html');
  return text(value, type === 'hidden' ? 'fieldValue' : 'defaultValue');
}

function optionsOf(value: Json): string[] {
  const stated = listField(objectField(value, 'fieldOptions'), 'values')
    .slice(0, MAX_FORM_OPTIONS)
    .map((entry) => text(entry, 'option'));
  return [...new Set(stated.filter((option) => option !== ''))];
}

function isMultiple(value: Json, type: FormFieldType): boolean {
  if (type === 'file') return booleanField(value, 'multipleFiles') ?? true;
  return type === 'checkbox' || (type === 'dropdown' && (booleanField(value, 'multiselect') ?? false));
}

function limitsOf(value: Json): { least?: number; most?: number } {
  const limit = text(value, 'limitSelection');
  if (limit === 'exact') {
    const count = numberField(value, 'numberOfSelections') ?? 1;
    return { least: count, most: count };
  }
  return limit === 'range'
    ? { least: numberField(value, 'minSelections') ?? 0, most: numberField(value, 'maxSelections') ?? 1 }
    : {};
}

function text(value: Json, key: string): string {
  const found = textField(value, key);
  if (found === undefined) return String(numberField(value, key) ?? '');
  return isExpression(found) ? '' : plainText(found);
}
