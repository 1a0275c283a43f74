import type { FieldError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import {
  anyObject,
  flag,
  list,
  nullable,
  object,
  type ObjectShape,
  readBody,
  type Shape,
  text,
} from '../../http/shape';

const isPosition = (value: Json[]): boolean => value.length === 2 && value.every((part) => typeof part === 'number');

/** Two numbers; an empty list counts as none. */
const POSITION: Shape<readonly Json[]> = {
  schema: { type: 'array', items: { type: 'number' }, maxItems: 2, description: '[x, y].' },
  read: (value: Json, at: string, errors: FieldError[]) => {
    if (!Array.isArray(value)) errors.push({ field: at, message: 'must be an array' });
    else if (value.length > 0 && !isPosition(value))
      errors.push({ field: at, message: 'must be an array of two numbers' });
    else return value;
    return undefined;
  },
};

const NODE = object(
  {
    position: POSITION,
    parameters: anyObject({ description: 'By the kind of node: see `GET /node-types`.' }),
    id: text(),
    name: text({ maxLength: 500 }),
    type: text({ description: 'Such as `n8n-nodes-base.set`.' }),
  },
  { required: ['name', 'type'], isOpen: true },
);

/** The fields of the contract strictly, others not at all. */
const FIELDS = {
  nodes: list(NODE, { maxItems: 2_000 }),
  name: text({ maxLength: 500 }),
  connections: anyObject({ description: 'By the name of the source node, then by output type.' }),
  settings: nullable(anyObject()),
  active: flag(),
};

/** The body of a creation. */
export const NEW_WORKFLOW_BODY = object(FIELDS, { required: ['name', 'nodes'], isOpen: true });

/** The body of a replacement. */
export const WORKFLOW_BODY = object(FIELDS, { required: ['name', 'nodes', 'connections'], isOpen: true });

/**
 * Checks the body of a creation or replacement.
 * The definition is the raw body: the workflows service ignores the fields that it sets itself.
 * @returns `active` of the body; undefined if it has none.
 * @throws InvalidRequest
 */
export const checkWorkflowBody = (
  shape: ObjectShape<{ readonly active: boolean | undefined }>,
  body: Json | undefined,
): { readonly active: boolean | undefined } => ({ active: readBody(shape, body).active });
