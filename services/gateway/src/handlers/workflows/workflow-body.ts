import type { FieldError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { CONNECTIONS, NODE_FIELDS, WORKFLOW_NODE, WORKFLOW_SETTINGS } from '../../openapi/definition-schemas';
import { PROJECT_ID } from '../owned';
import { anyObject, describedBy, flag, list, nullable, object, readBody, type Shape, text } from '../../http/shape';

const isPosition = (value: Json[]): boolean => value.length === 2 && value.every((part) => typeof part === 'number');

/** Two numbers; an empty list counts as absent. */
const POSITION: Shape<readonly Json[]> = {
  schema: NODE_FIELDS.position,
  read: (value: Json, at: string, errors: FieldError[]) => {
    if (!Array.isArray(value)) errors.push({ field: at, message: 'must be an array' });
    else if (value.length > 0 && !isPosition(value))
      errors.push({ field: at, message: 'must be an array of two numbers' });
    else return value;
    return undefined;
  },
};

const READ_NODE = object(
  { position: POSITION, parameters: anyObject(), id: text(), name: text(), type: text() },
  { required: ['name', 'type'], isOpen: true },
);

/** Checks the fields of the contract, and describes all that have a meaning. */
const NODE = describedBy(WORKFLOW_NODE, READ_NODE);

/** The fields of the contract are checked strictly, others not at all. */
const FIELDS = {
  nodes: list(NODE, { maxItems: 2_000 }),
  name: text({ maxLength: 500, description: 'A new workflow without a name is "My workflow".' }),
  connections: describedBy(CONNECTIONS, anyObject()),
  settings: nullable(describedBy(WORKFLOW_SETTINGS, anyObject())),
  active: flag(),
};

/** Body of a creation. */
export const NEW_WORKFLOW_BODY = object({ ...FIELDS, projectId: PROJECT_ID }, { required: ['nodes'], isOpen: true });

/** Body of a replacement. */
export const WORKFLOW_BODY = object(FIELDS, { required: ['name', 'nodes', 'connections'], isOpen: true });

/**
 * Reads the body of a creation. The raw body is the definition: the workflows service ignores everything that is not
 * part of it.
 * @returns the fields that are not part of the definition; undefined for missing ones
 * @throws InvalidRequest
 */
export const readNewWorkflow = (
  body: Json | undefined,
): { readonly active: boolean | undefined; readonly projectId: string | undefined } => {
  const { active, projectId } = readBody(NEW_WORKFLOW_BODY, body);
  return { active, projectId };
};

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The definition in a body: all of it but the space around it, such as the line break at the end of a file. */
export const definitionIn = (body: Buffer): Buffer => {
  let [start, end] = [0, body.length];
  while (start < end && isSpace(body[start])) start += 1;
  while (end > start && isSpace(body[end - 1])) end -= 1;
  return body.subarray(start, end);
};

/** Checks the body of a replacement, which is the definition. @throws InvalidRequest */
export const checkWorkflowBody = (body: Json | undefined): void => void readBody(WORKFLOW_BODY, body);
