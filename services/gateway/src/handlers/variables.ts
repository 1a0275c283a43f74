import type { Variable } from '@weft/proto/variables';
import { type FieldError, InternalError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { bodyObject, readFields, refuseFieldErrors } from '../http/body-fields';
import { quote, timeText } from '../http/json-text';
import { dataAnswer, DELETED } from '../middleware/write-answer';
import type { ApiHandler } from './api-handler';
import { listAnswer } from './list-answer';

/**
 * A variable as the REST API shows it. Its value is always a string; `type` states this for clients that support other
 * types.
 */
export const variableText = (variable: Variable | undefined): string => {
  if (variable === undefined)
    throw new InternalError(new Error('The workflows service answered without the variable.'));
  const { id, key, value, createdAt, updatedAt } = variable;
  return (
    `{"id":${quote(id)},"key":${quote(key)},"value":${quote(value)},"type":"string",` +
    `"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}}`
  );
};

/**
 * Reads the body of a creation or replacement. Id, type and times are ignored, so that the answer of GET can be sent
 * back.
 * @throws InvalidRequest
 */
export const readVariableBody = (body: Json | undefined): { readonly key: string; readonly value: string } => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('key', 'value', 'id', 'type', 'createdAt', 'updatedAt');
  fields.require('key', 'value');
  const read = { key: fields.string('key') ?? '', value: fields.string('value') ?? '' };
  refuseFieldErrors(errors);
  return read;
};

/** GET /variables: all variables, newest first; with `limit` or `cursor` a page of them. */
export const listVariables: ApiHandler = (request, { variables }) =>
  listAnswer(request, async (page) => {
    const { variables: found, nextCursor } = await variables.calls.listVariables(page, {
      principal: request.principal,
    });
    return { entries: found.map(variableText), nextCursor };
  });

/** POST /variables: stores a variable. 201 with it. */
export const createVariable: ApiHandler = async ({ body, principal }, { variables }) => {
  const { variable } = await variables.calls.createVariable(readVariableBody(body), { principal });
  return dataAnswer(variableText(variable), {
    status: 201,
    headers: { location: `/api/v1/variables/${variable?.id ?? ''}` },
  });
};

/** PUT /variables/:id: replaces key and value; runs that begin later see them. */
export const replaceVariable: ApiHandler = async ({ id, body, principal }, { variables }) => {
  const { variable } = await variables.calls.replaceVariable(
    { variableId: id, ...readVariableBody(body) },
    { principal },
  );
  return dataAnswer(variableText(variable));
};

/** DELETE /variables/:id: in runs that begin later it is undefined. */
export const deleteVariable: ApiHandler = async ({ id, principal }, { variables }) => {
  await variables.calls.deleteVariable({ variableId: id }, { principal });
  return DELETED;
};
