import type { JsonObject } from '@weft/node-catalogue';
import { type FromAiArgument, fromAiArguments, type FromAiType } from './from-ai-arguments';

const schemas = new WeakMap<JsonObject, JsonObject>();

/**
 * The JSON Schema of the arguments that the `$fromAI` calls in the parameters of a node read. It excludes any other
 * argument. The same object for the same parameters.
 * @throws NodeFailure for calls that no schema can be made from
 */
export function fromAiSchema(parameters: JsonObject): JsonObject {
  const known = schemas.get(parameters);
  if (known !== undefined) return known;
  const schema = schemaOf(fromAiArguments(parameters));
  schemas.set(parameters, schema);
  return schema;
}

/** The JSON Schema of an object with these arguments. */
export function schemaOf(args: readonly FromAiArgument[]): JsonObject {
  const required = args.filter(({ isOptional }) => !isOptional).map(({ key }) => key);
  const property = ({ type, description, default: initial }: FromAiArgument): JsonObject => ({
    ...TYPES[type],
    ...(description === '' ? {} : { description }),
    ...(initial === undefined ? {} : { default: initial }),
  });
  return {
    type: 'object',
    properties: Object.fromEntries(args.map((one) => [one.key, property(one)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const TYPES: Readonly<Record<FromAiType, JsonObject>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  json: {
    anyOf: [
      { type: 'object', minProperties: 1 },
      { type: 'array', minItems: 1 },
    ],
  },
};
