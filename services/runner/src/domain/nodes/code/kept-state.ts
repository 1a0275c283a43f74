import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { NodeContext } from '../../engine/node';
import { NodeFailure } from '../../engine/node-failure';
import type { CodeInput, CodeReport } from './code-data';

/** Characters of everything that code keeps for later nodes, as JSON: it is stored with every checkpoint. */
const KEPT_MAX = 64 * 1024;
const MARKS_MAX = 10;

/** Where code keeps things, within the memory of the run. */
type Kept = Pick<NodeContext, 'runMemory' | 'node'>;

/** What code kept earlier in this run: static data of the workflow and of this node, and the marks of the execution. */
export function readKept({ runMemory, node }: Kept): Pick<CodeInput, 'staticData' | 'customData'> {
  const staticData = objectIn(runMemory, 'staticData');
  const marks = Object.entries(objectIn(runMemory, 'customData')).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    staticData: { global: objectIn(staticData, 'global'), node: objectIn(staticData, `node:${node.name}`) },
    customData: Object.fromEntries(marks),
  };
}

/**
 * Keeps what the code changed, whatever else came of it. It lasts as long as the run.
 * @throws NodeFailure if that is too much
 */
export function writeKept({ runMemory, node }: Kept, { staticData, customData }: CodeReport): void {
  const changed: JsonObject = {
    ...(staticData === undefined ? {} : {
      staticData: { ...objectIn(runMemory, 'staticData'), global: plainObject(staticData.global), [`node:${node.name}`]: plainObject(staticData.node) },
    }),
    ...(customData === undefined ? {} : { customData: Object.fromEntries(Object.entries(plainObject(customData)).slice(0, MARKS_MAX).map(([name, value]) => [name, String(value)])) }),
  };
  if (JSON.stringify({ ...runMemory, ...changed }).length > KEPT_MAX) throw new NodeFailure(`The static data is longer than ${KEPT_MAX} characters as JSON`);
  Object.assign(runMemory, changed);
}

function objectIn(owner: JsonObject, name: string): JsonObject {
  return plainObject(Object.hasOwn(owner, name) ? owner[name] : undefined);
}

function plainObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
