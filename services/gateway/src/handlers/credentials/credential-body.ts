import type { FieldError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { bodyObject, readFields, refuseFieldErrors } from '../../http/body-fields';

/** The fields of a credential that a body gives; undefined for those it leaves out. */
export interface CredentialBody {
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly dataJson: string | undefined;
}

/**
 * Reads the body of a creation or change. Id and times are passed over, so that what GET gives can be sent back.
 * @param required fields that must be there.
 * @throws InvalidRequest
 */
export const readCredentialBody = (body: Json | undefined, required: readonly string[]): CredentialBody => {
  const faults: FieldError[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.allowOnly('name', 'type', 'data', 'id', 'createdAt', 'updatedAt');
  fields.require(...required);
  const data = fields.object('data');
  const read = {
    name: fields.string('name'),
    type: fields.string('type'),
    dataJson: data === undefined ? undefined : JSON.stringify(data),
  };
  refuseFieldErrors(faults);
  return read;
};
