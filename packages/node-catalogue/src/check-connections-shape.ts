import type { Fault } from './definition';
import type { Json } from './json';
import { isJsonObject } from './json';

/** Highest number that an input or output may have. */
export const PORT_INDEX_MAX = 99;

/** Faults in the form of `connections`; an absent value is an empty one. */
export function checkConnectionsShape(connections: Json | undefined): Fault[] {
  if (connections === undefined) return [];
  if (!isJsonObject(connections)) return [{ path: 'connections', message: '`connections` must be an object.' }];
  return Object.entries(connections).flatMap(([source, byType]) => {
    const path = `connections[${JSON.stringify(source)}]`;
    if (!isJsonObject(byType))
      return [{ path, message: `\`${path}\` must be an object with output types such as \`main\`.` }];
    return Object.entries(byType).flatMap(([type, outputs]) => checkOutputs(outputs, `${path}.${type}`));
  });
}

function checkOutputs(outputs: Json, path: string): Fault[] {
  if (!Array.isArray(outputs)) return [{ path, message: `\`${path}\` must be an array with one entry per output.` }];
  if (outputs.length > PORT_INDEX_MAX + 1)
    return [{ path, message: `\`${path}\` has more than ${PORT_INDEX_MAX + 1} outputs.` }];
  return outputs.flatMap((ends, output) => {
    // An output nothing is linked to is written as null by some editors.
    if (ends === null) return [];
    if (!Array.isArray(ends))
      return [{ path: `${path}[${output}]`, message: `\`${path}[${output}]\` must be an array of links.` }];
    return ends.flatMap((end, link) => checkEnd(end, `${path}[${output}][${link}]`));
  });
}

function checkEnd(end: Json, path: string): Fault[] {
  if (!isJsonObject(end))
    return [{ path, message: `\`${path}\` must be an object with \`node\`, \`type\` and \`index\`.` }];
  const faults: Fault[] = [];
  const { node, type, index } = end;
  if (typeof node !== 'string')
    faults.push({ path: `${path}.node`, message: `\`${path}.node\` must be the name of a node.` });
  if (type !== undefined && typeof type !== 'string')
    faults.push({ path: `${path}.type`, message: `\`${path}.type\` must be a string such as \`main\`.` });
  if (index !== undefined && !isPortIndex(index)) {
    faults.push({
      path: `${path}.index`,
      message: `\`${path}.index\` must be an integer from 0 to ${PORT_INDEX_MAX}.`,
    });
  }
  return faults;
}

function isPortIndex(value: Json): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= PORT_INDEX_MAX;
}
