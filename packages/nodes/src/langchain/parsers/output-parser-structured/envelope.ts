import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import type { Envelope } from '../answer-form';

const OUTPUT = 'output';

const isAlone = (value: JsonObject): boolean => Object.keys(value).length === 1 && Object.hasOwn(value, OUTPUT);

/** `{ "output": … }`, from version 1.1 on. Models sometimes leave the field out, or repeat it. */
const OUTPUT_FIELD: Envelope = {
  schemaOf: ({ $schema, $defs, definitions, ...schema }) => ({
    // definitions stay at the root, where references look for them
    ...given({ $schema, $defs, definitions }),
    type: 'object',
    properties: { [OUTPUT]: schema },
    required: [OUTPUT],
  }),
  partsOf: (answer) => {
    const inner = isJsonObject(answer) && Object.hasOwn(answer, OUTPUT) ? answer[OUTPUT] : undefined;
    if (inner === undefined) return [answer];
    const repeated = isJsonObject(inner) && isAlone(inner) ? inner[OUTPUT] : undefined;
    return [inner, ...(repeated === undefined ? [] : [repeated]), answer];
  },
  resultOf: (part) => ({ [OUTPUT]: part }),
};

const FIRST_FIELD = '__structured__output';

/** The value itself in version 1. The fields that n8n asks for are accepted around it. */
const NO_FIELD: Envelope = {
  schemaOf: (schema) => schema,
  partsOf: (answer) => {
    const outer = isJsonObject(answer) ? answer[FIRST_FIELD] : undefined;
    if (!isJsonObject(outer)) return [answer];
    const inner = outer[`${FIRST_FIELD}__object`];
    return inner === undefined ? [outer] : [inner];
  },
  resultOf: (part) => part,
};

/** The outer fields that a version puts around an answer. */
export const envelopeOf = (version: number): Envelope => (version < 1.1 ? NO_FIELD : OUTPUT_FIELD);

function given(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, Json][] => (value === undefined ? [] : [[name, value]])),
  );
}
