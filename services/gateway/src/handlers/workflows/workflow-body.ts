import type { FieldError } from '@weft/service-kit/errors';
import { isJsonObject, type Json } from '@weft/service-kit/json';
import { bodyObject, readFields, refuseFieldErrors } from '../../http/body-fields';

const isPosition = (value: Json[]): boolean => value.length === 2 && value.every((part) => typeof part === 'number');

const checkNode = (value: Json, index: number, errors: FieldError[]): void => {
  if (!isJsonObject(value)) {
    errors.push({ field: `nodes[${index}]`, message: 'must be an object' });
    return;
  }
  const fields = readFields(value, errors, `nodes[${index}].`);
  fields.require('name', 'type');
  const position = fields.array('position') ?? [];
  if (position.length > 0 && !isPosition(position)) fields.error('position', 'must be an array of two numbers');
  fields.object('parameters');
  fields.string('id');
  fields.string('name');
  fields.string('type');
};

/**
 * Checks the body of a creation or replacement: the fields of the contract strictly, others not at all.
 * The definition is the raw body: the workflows service ignores the fields that it sets itself.
 * @param required mandatory fields.
 * @returns `active` of the body; undefined if it has none.
 * @throws InvalidRequest
 */
export const checkWorkflowBody = (
  body: Json | undefined,
  required: readonly string[],
): { readonly active: boolean | undefined } => {
  const errors: FieldError[] = [];
  const object = bodyObject(body);
  const fields = readFields(object, errors);
  fields.require(...required);
  (fields.array('nodes') ?? []).forEach((node, index) => checkNode(node, index, errors));
  fields.string('name');
  fields.object('connections');
  if (object['settings'] !== null) fields.object('settings');
  const active = fields.boolean('active');
  refuseFieldErrors(errors);
  return { active };
};
