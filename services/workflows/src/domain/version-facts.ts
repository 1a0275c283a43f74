import {
  checkDefinition, formNodes, formSettingsOf, readDefinition, startNodeOf, webhookNodes, webhookSettingsOf,
  type StartNode, type WorkflowDefinition,
} from '@weft/node-catalogue';
import type { FieldFault } from '@weft/service-kit/errors';
import { faultFields } from './fault-fields';
import { completeDefinition } from './type-version-defaults';
import type { Version } from './workflow';

/** What starting and calling a version needs to know of it; small, so that many fit into memory. */
export interface VersionFacts {
  /** Why it cannot run; empty if it can. */
  readonly faults: readonly FieldFault[];
  /** Where a run begins: at the named node, or where the version itself says. */
  readonly startNode: (name?: string) => StartNode;
  /** JSON of the intake settings of each webhook node and form trigger, by the node's name. */
  readonly webhookSettings: ReadonlyMap<string, string>;
  /** About what it costs in memory, in bytes. */
  readonly cost: number;
}

const NODE_COST = 300;
const FAULT_COST = 500;

/** The definition without all that start nodes do not depend on. */
const skeletonOf = (definition: WorkflowDefinition): WorkflowDefinition => ({
  name: '',
  nodes: definition.nodes.map(({ id, name, type, disabled }) => ({ id, name, type, position: [0, 0], parameters: {}, ...(disabled === undefined ? {} : { disabled }) })),
  connections: {},
  settings: {},
  pinData: {},
  staticData: {},
});

/** Reads the facts out of a stored version. */
export const readVersionFacts = (version: Version): VersionFacts => {
  const definition = readDefinition({ ...completeDefinition(version) });
  const skeleton = skeletonOf(definition);
  const faults = faultFields(definition, checkDefinition(definition));
  const webhookSettings = new Map([
    ...webhookNodes(definition).map((node) => [node.name, JSON.stringify(webhookSettingsOf(node))] as const),
    ...formNodes(definition).map((node) => [node.name, JSON.stringify(formSettingsOf(definition, node))] as const),
  ]);
  const settingsCost = [...webhookSettings.values()].reduce((sum, text) => sum + text.length, 0);
  return {
    faults,
    startNode: (name) => startNodeOf(skeleton, name),
    webhookSettings,
    cost: 1_000 + definition.nodes.length * NODE_COST + faults.length * FAULT_COST + settingsCost,
  };
};
