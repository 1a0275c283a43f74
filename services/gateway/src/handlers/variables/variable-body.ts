import type { FieldError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { bodyObject, readFields, refuseFieldErrors } from '../../http/body-fields';

/**
 * Reads the body of a creation or replacement. Id, type and times are passed over, so that what GET gives can be sent
 * back.
 * @throws InvalidRequest
 */
export const readVariableBody = (body: Json | undefined): { readonly key: string; readonly value: string } => {
  const faults: FieldError[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.allowOnly('key', 'value', 'id', 'type', 'createdAt', 'updatedAt');
  fields.require('key', 'value');
  const read = { key: fields.string('key') ?? '', value: fields.string('value') ?? '' };
  refuseFieldErrors(faults);
  return read;
};
