import { isJsonObject, type Json } from '@weft/service-kit/json';
import type { DefinitionError } from './definition';

/** Highest index of an input or output. */
export const MAX_PORT_INDEX = 99;

/** Errors in the form of `connections`; absent means empty. */
export function checkConnectionsShape(connections: Json | undefined): DefinitionError[] {
  if (connections === undefined) return [];
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
  if (typeof node !== 'string')
    errors.push({ field: `${path}.node`, message: `\`${path}.node\` must be the name of a node.` });
  if (type !== undefined && typeof type !== 'string')
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
