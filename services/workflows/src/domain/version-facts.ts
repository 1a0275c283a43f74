import {
  checkDefinition,
  formNodes,
  formSettingsOf,
  reachableFrom,
  readDefinition,
  startNodeOf,
  webhookNodes,
  webhookSettingsOf,
  type StartNode,
  type StartPurpose,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import type { FieldError } from '@weft/service-kit/errors';
import { toFieldErrors } from './field-errors';
import { completeDefinition, parseStored } from './type-version-defaults';
import type { Version } from './workflow';

/** What starting and calling a version needs to know of it; small, so that many fit into memory. */
export interface VersionFacts {
  /**
   * Why a run from a node cannot be: what is wrong with the nodes that it can come to, without those whose pins it
   * uses. Empty if it can.
   */
  readonly faultsFrom: (startNode: string, usePinData: boolean) => readonly FieldError[];
  /** Nodes whose kind is not known, wherever they stand. */
  readonly unknownKinds: () => readonly FieldError[];
  /** Where a run begins: at the named node, or where the version itself says. */
  readonly startNode: (name?: string, purpose?: StartPurpose) => StartNode;
  /** JSON of the intake settings of each webhook node and form trigger, by the node's name. */
  readonly webhookSettings: ReadonlyMap<string, string>;
  /** About what it costs in memory, in bytes. */
  readonly cost: number;
}

const NODE_COST = 300;
/** Bytes in memory of one character of a definition that is kept. */
const COST_OF_TEXT = 4;

/** The definition without all that start nodes do not depend on. */
const skeletonOf = (definition: WorkflowDefinition): WorkflowDefinition => ({
  name: '',
  nodes: definition.nodes.map(({ id, name, type, disabled }) => ({
    id,
    name,
    type,
    position: [0, 0],
    parameters: {},
    ...(disabled === undefined ? {} : { disabled }),
  })),
  connections: {},
  settings: {},
  pinData: {},
  staticData: {},
});

/** A workflow is nearly always started at the same node. */
const rememberLast = <Value>(make: (key: string) => Value): ((key: string) => Value) => {
  let last: { readonly key: string; readonly value: Value } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
};

const faultsFromOf = (definition: WorkflowDefinition): VersionFacts['faultsFrom'] => {
  const reachedFrom = rememberLast((start) => reachableFrom(definition, [start]));
  return (start, usePinData) => {
    const runs = [...reachedFrom(start)].filter((name) => !usePinData || !Object.hasOwn(definition.pinData, name));
    return toFieldErrors(definition, checkDefinition(definition, new Set(runs)));
  };
};

/** Reads the facts out of a stored version. */
export const readVersionFacts = (version: Version): VersionFacts => {
  const definition = readDefinition({ ...completeDefinition(parseStored(version), version.typeVersions) });
  const skeleton = skeletonOf(definition);
  // Most versions have no fault at all, and keep nothing of their definition here.
  const isSound = checkDefinition(definition).length === 0;
  const webhookSettings = new Map([
    ...webhookNodes(definition).map((node) => [node.name, JSON.stringify(webhookSettingsOf(node))] as const),
    ...formNodes(definition).map((node) => [node.name, JSON.stringify(formSettingsOf(definition, node))] as const),
  ]);
  const settingsCost = [...webhookSettings.values()].reduce((sum, text) => sum + text.length, 0);
  return {
    faultsFrom: isSound ? () => [] : faultsFromOf(definition),
    unknownKinds: isSound
      ? () => []
      : () =>
          toFieldErrors(
            definition,
            checkDefinition(definition).filter(({ field }) => field === 'type'),
          ),
    startNode: (name, purpose) => startNodeOf(skeleton, name, purpose),
    webhookSettings,
    cost:
      1_000 +
      definition.nodes.length * NODE_COST +
      (isSound ? 0 : version.definition.length * COST_OF_TEXT) +
      settingsCost,
  };
};
