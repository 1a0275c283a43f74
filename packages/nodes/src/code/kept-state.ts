import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import type { CodeInput, CodeReport } from '@weft/sandbox';

/** Limit in characters of everything that code stores for later nodes, as JSON: it is part of every checkpoint. */
const MAX_KEPT = 64 * 1024;
const MAX_MARKS = 10;

/** The part of a context in which code stores custom data: the memory of the run. */
type Kept = Pick<NodeContext, 'runMemory'>;

/** The custom data of the execution that code set earlier in this run. */
export function readMarks({ runMemory }: Kept): CodeInput['customData'] {
  return Object.fromEntries(
    Object.entries(objectIn(runMemory, 'customData')).map(([name, value]): [string, string] => [name, String(value)]),
  );
}

/**
 * Stores the custom data that the code set, whether it succeeded or not. It lasts until the end of the run.
 * @throws NodeFailure if it is too long
 */
export function writeMarks({ runMemory }: Kept, { customData }: CodeReport): void {
  if (customData === undefined) return;
  const marks = Object.fromEntries(
    Object.entries(plainObject(customData))
      .slice(0, MAX_MARKS)
      .map(([name, value]) => [name, String(value)]),
  );
  if (JSON.stringify({ ...runMemory, customData: marks }).length > MAX_KEPT)
    throw new NodeFailure(`The custom data of the execution exceeds ${MAX_KEPT} characters as JSON`);
  runMemory['customData'] = marks;
}

function objectIn(owner: JsonObject, name: string): JsonObject {
  return plainObject(Object.hasOwn(owner, name) ? owner[name] : undefined);
}

function plainObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
