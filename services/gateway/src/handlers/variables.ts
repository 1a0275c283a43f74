import type { Variable } from '@weft/proto/variables';
import { InternalError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { quote, timeText } from '../http/json-text';
import { object, readBody, text } from '../http/shape';
import { dataAnswer, DELETED } from '../middleware/write-answer';
import { component, ID, oneOf, record, TEXT, TIME } from '../openapi/schema';
import type { ApiHandler } from './api-handler';
import { listAnswer } from './list-answer';

/** What `variableText` writes. */
export const VARIABLE = component(
  'Variable',
  record({ id: ID, key: TEXT, value: TEXT, type: oneOf('string'), createdAt: TIME, updatedAt: TIME }),
);

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
 * The body of a creation or replacement. Id, type and times are ignored, so that the answer of GET can be sent back.
 */
export const VARIABLE_BODY = object(
  {
    key: text({ minLength: 1, maxLength: 50, pattern: '^[A-Za-z0-9_]+$' }),
    value: text({ maxLength: 1_000 }),
  },
  { required: ['key', 'value'], ignored: ['id', 'type', 'createdAt', 'updatedAt'] },
);

const readVariable = (body: Json | undefined): { readonly key: string; readonly value: string } => {
  const { key = '', value = '' } = readBody(VARIABLE_BODY, body);
  return { key, value };
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
  const { variable } = await variables.calls.createVariable(readVariable(body), { principal });
  return dataAnswer(variableText(variable), {
    status: 201,
    headers: { location: `/api/v1/variables/${variable?.id ?? ''}` },
  });
};

/** PUT /variables/:id: replaces key and value; runs that begin later see them. */
export const replaceVariable: ApiHandler = async ({ id, body, principal }, { variables }) => {
  const { variable } = await variables.calls.replaceVariable({ variableId: id, ...readVariable(body) }, { principal });
  return dataAnswer(variableText(variable));
};

/** DELETE /variables/:id: in runs that begin later it is undefined. */
export const deleteVariable: ApiHandler = async ({ id, principal }, { variables }) => {
  await variables.calls.deleteVariable({ variableId: id }, { principal });
  return DELETED;
};
