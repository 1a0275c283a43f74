import {
  isExpression,
  isJsonObject,
  type Json,
  type JsonObject,
  type KindDescriptor,
  parameterOrDefault,
  plainValue,
} from '@weft/node-catalogue';
import type { ParameterSource } from './read-parameters';

/** Parameters without a run: expressions cannot be resolved, so that what they give is not set. */
export function parametersOutsideOfRuns(
  parameters: JsonObject,
  descriptor: KindDescriptor,
  version: number,
): ParameterSource {
  const plain = withoutExpressions(parameters);
  const read = (name: string): Json | undefined => plainValue(parameterOrDefault(plain, descriptor, version, name));
  return { node: { parameters: plain }, version, parameter: read, rawParameter: read };
}

function withoutExpressions(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      if (isExpression(value)) return [];
      return [[name, isJsonObject(value) ? withoutExpressions(value) : value]];
    }),
  );
}
