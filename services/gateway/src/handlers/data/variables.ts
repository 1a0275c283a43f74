import type { Variable } from '@weft/proto/variables';
import { InternalError } from '@weft/service-kit/errors';
import { ifMatch, taggedBy } from '../../http/entity-tags';
import { creationKey } from '../../http/idempotency-key';
import { quote, timeText } from '../../http/json-text';
import { object, readBody, text } from '../../http/shape';
import { dataAnswer, DELETED, taggedAnswer } from '../../middleware/responses/write-answer';
import { component, ID, oneOf, record, TEXT, TIME } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { OWNER_ID, PROJECT_ID, readOwner } from '../owned';

/** Schema of `variableText`. */
export const VARIABLE = component(
  'Variable',
  record({
    id: ID,
    key: TEXT,
    value: TEXT,
    type: oneOf('string'),
    ownerId: OWNER_ID,
    createdAt: TIME,
    updatedAt: TIME,
  }),
);

/**
 * A variable as shown by the REST API. Its value is always a string; `type` says so for clients that support other
 * types.
 */
export const variableText = (variable: Variable | undefined): string => {
  if (variable === undefined)
    throw new InternalError(new Error('The workflows service answered without the variable.'));
  const { id, key, value, ownerId, createdAt, updatedAt } = variable;
  return (
    `{"id":${quote(id)},"key":${quote(key)},"value":${quote(value)},"type":"string",` +
    `"ownerId":${quote(ownerId)},"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}}`
  );
};

const FIELDS = {
  key: text({ minLength: 1, maxLength: 50, pattern: '^[A-Za-z0-9_]+$' }),
  value: text({ maxLength: 1_000 }),
};

/** Id, type, owner and times are ignored, so that a response of GET can be sent back. */
const SHOWN = ['id', 'type', 'ownerId', 'createdAt', 'updatedAt'];

/** Body of a creation. */
export const NEW_VARIABLE_BODY = object(
  { ...FIELDS, projectId: PROJECT_ID },
  { required: ['key', 'value'], ignored: SHOWN },
);

/** Body of a replacement. */
export const VARIABLE_BODY = object(FIELDS, { required: ['key', 'value'], ignored: SHOWN });

/**
 * GET /variables: all variables, newest first; with `limit` or `cursor` one page. With `projectId` those of a project
 * or user.
 */
export const listVariables: ApiHandler = (request, { variables }) => {
  const owner = readOwner(request.query);
  return listAnswer(request, async (page) => {
    const { variables: found, nextCursor } = await variables.calls.listVariables(
      { ...page, ...owner },
      { principal: request.principal },
    );
    return { entries: found.map(variableText), nextCursor };
  });
};

/** POST /variables: stores a variable, in a project if `projectId` is set. 201 with the variable. */
export const createVariable: ApiHandler = async ({ body, headers, principal }, { variables }) => {
  const { key = '', value = '', projectId } = readBody(NEW_VARIABLE_BODY, body);
  const { variable } = await variables.calls.createVariable(
    { key, value, projectId, ...creationKey(headers) },
    { principal },
  );
  return dataAnswer(variableText(variable), {
    status: 201,
    headers: { location: `/api/v1/variables/${variable?.id ?? ''}`, ...taggedBy(variable?.etag) },
  });
};

/** GET /variables/:id, an addition: one variable, with an ETag. */
export const getVariable: ApiHandler = async ({ id, principal }, { variables }) => {
  const { variable } = await variables.calls.getVariable({ variableId: id }, { principal });
  return taggedAnswer(variableText(variable), variable?.etag);
};

/** PUT /variables/:id: replaces key and value; runs that begin later see them. If-Match as for workflows. */
export const replaceVariable: ApiHandler = async ({ id, body, headers, principal }, { variables }) => {
  const { key = '', value = '' } = readBody(VARIABLE_BODY, body);
  const { variable } = await variables.calls.replaceVariable(
    { variableId: id, key, value, ...ifMatch(headers) },
    { principal },
  );
  return taggedAnswer(variableText(variable), variable?.etag);
};

/** DELETE /variables/:id: it is undefined in runs that begin later. */
export const deleteVariable: ApiHandler = async ({ id, headers, principal }, { variables }) => {
  await variables.calls.deleteVariable({ variableId: id, ...ifMatch(headers) }, { principal });
  return DELETED;
};
