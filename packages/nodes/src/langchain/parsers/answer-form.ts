import type { Json, JsonObject } from '@weft/node-catalogue';
import { readAnswerJson } from './answer-json';
import { Misfit } from './misfit';
import { checkerOf } from './schema/check-value';
import { normalized } from './schema/normalized';
import type { SchemaPlace } from './schema/read-schema';

/** A form of answers that a JSON Schema describes. */
export interface AnswerForm {
  /** JSON Schema of the whole answer. */
  readonly schema: JsonObject;
  /** Describes the form to a model. */
  readonly instructions: string;
  /** Reads the answer of a model. @throws Misfit that says why it has another form */
  read(text: string): Json;
}

/** The outer fields of an answer, around the part that the schema of the user describes. */
export interface Envelope {
  /** The schema of the whole answer. */
  schemaOf(schema: JsonObject): JsonObject;
  /** The values in an answer that may be the part, the likeliest first. */
  partsOf(answer: Json): readonly Json[];
  /** The result for a part that fits. */
  resultOf(part: Json): Json;
}

const NONE: Envelope = { schemaOf: (schema) => schema, partsOf: (answer) => [answer], resultOf: (part) => part };

/**
 * The form of a schema. Fields that the schema does not name are left out, and defaults are filled in, as in n8n.
 * @throws NodeFailure that names the field of the node if the schema cannot be used
 */
export function answerFormOf(schema: JsonObject, place: SchemaPlace, envelope = NONE): AnswerForm {
  const check = checkerOf(schema, place);
  const whole = envelope.schemaOf(schema);
  return {
    schema: whole,
    instructions: instructionsFor(whole),
    read: (text) => {
      const reasons: string[] = [];
      for (const answer of readAnswerJson(text))
        for (const part of envelope.partsOf(answer).map((one) => normalized(one, schema))) {
          const reason = check(part);
          if (reason === undefined) return envelope.resultOf(part);
          reasons.push(reason);
        }
      throw new Misfit(reasons[0] ?? 'It does not fit the schema.');
    },
  };
}

function instructionsFor(schema: JsonObject): string {
  return [
    'Answer with one JSON value and nothing else: no explanation, no comments, no trailing commas.',
    'The value must be valid against this JSON Schema. Answer with a value, not with the schema:',
    JSON.stringify(schema),
  ].join('\n');
}
