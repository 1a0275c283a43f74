import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type { DefinitionError } from '../definition';
import { editDistance } from './edit-distance';

/** Highest index of an input or output. */
export const MAX_PORT_INDEX = 99;

/** The end of a link with the fields that its sender may leave out; the same object if it has them. */
function completeEnd(end: Json): Json {
  if (!isJsonObject(end)) return end;
  const { type = 'main', index = 0 } = end;
  return type === end['type'] && index === end['index'] ? end : { ...end, type, index };
}

function mapped(values: Json[], complete: (value: Json) => Json): Json[] {
  const completed = values.map(complete);
  return completed.some((value, index) => value !== values[index]) ? completed : values;
}

function mappedFields(object: JsonObject, complete: (value: Json) => Json): JsonObject {
  const entries = Object.entries(object).map(([key, value]): [string, Json] => [key, complete(value)]);
  return entries.some(([key, value]) => value !== object[key]) ? Object.fromEntries(entries) : object;
}

/**
 * Connections whose links all have `type` (`main`) and `index` (0), as the contract shows them. The same object if
 * nothing was left out; whatever is malformed stays as it is.
 */
export function completeConnections(connections: JsonObject): JsonObject {
  const ofOutput = (ends: Json): Json => (Array.isArray(ends) ? mapped(ends, completeEnd) : ends);
  const ofType = (outputs: Json): Json => (Array.isArray(outputs) ? mapped(outputs, ofOutput) : outputs);
  return mappedFields(connections, (byType) => (isJsonObject(byType) ? mappedFields(byType, ofType) : byType));
}

/** The field that was meant to be `connections`, of a workflow that has none: one that is spelt almost like it. */
export function misspeltConnections(workflow: JsonObject): string | undefined {
  if (workflow['connections'] !== undefined) return undefined;
  return Object.keys(workflow).find((name) => editDistance(name.slice(0, 20).toLowerCase(), 'connections') <= 2);
}

/** Errors in the form of `connections`; absent means empty. */
export function checkConnectionsShape(workflow: JsonObject): DefinitionError[] {
  const { connections } = workflow;
  if (connections === undefined) {
    const near = misspeltConnections(workflow);
    return near === undefined
      ? []
      : [{ field: near, message: `\`${near}\` is not a field of a workflow. Did you mean \`connections\`?` }];
  }
  if (!isJsonObject(connections)) return [{ field: 'connections', message: '`connections` must be an object.' }];
  return Object.entries(connections).flatMap(([source, byType]) => {
    const path = `connections[${JSON.stringify(source)}]`;
    if (!isJsonObject(byType))
      return [{ field: path, message: `\`${path}\` must be an object with output types such as \`main\`.` }];
    return Object.entries(byType).flatMap(([type, outputs]) => checkOutputs(outputs, `${path}.${type}`));
  });
}

function checkOutputs(outputs: Json, path: string): DefinitionError[] {
  if (!Array.isArray(outputs))
    return [{ field: path, message: `\`${path}\` must be an array with one entry per output.` }];
  if (outputs.length > MAX_PORT_INDEX + 1)
    return [{ field: path, message: `\`${path}\` has more than ${MAX_PORT_INDEX + 1} outputs.` }];
  return outputs.flatMap((ends, output) => {
    // Some editors write an output without links as null.
    if (ends === null) return [];
    if (!Array.isArray(ends))
      return [{ field: `${path}[${output}]`, message: `\`${path}[${output}]\` must be an array of links.` }];
    return ends.flatMap((end, link) => checkEnd(end, `${path}[${output}][${link}]`));
  });
}

function checkEnd(end: Json, path: string): DefinitionError[] {
  if (!isJsonObject(end))
    return [{ field: path, message: `\`${path}\` must be an object with \`node\`, \`type\` and \`index\`.` }];
  const errors: DefinitionError[] = [];
  const { node, type, index } = end;
  if (typeof node !== 'string' || node === '')
    errors.push({ field: `${path}.node`, message: `\`${path}.node\` must be the name of a node.` });
  if (type !== undefined && (typeof type !== 'string' || type === ''))
    errors.push({ field: `${path}.type`, message: `\`${path}.type\` must be a string such as \`main\`.` });
  if (index !== undefined && !isPortIndex(index)) {
    errors.push({
      field: `${path}.index`,
      message: `\`${path}.index\` must be an integer from 0 to ${MAX_PORT_INDEX}.`,
    });
  }
  return errors;
}

function isPortIndex(value: Json): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_PORT_INDEX;
}
