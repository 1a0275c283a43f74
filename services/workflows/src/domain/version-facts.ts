import {
  checkDefinition,
  formNodes,
  formSettingsOf,
  reachableFrom,
  startNodeOf,
  webhookNodes,
  webhookSettingsOf,
  type StartNode,
  type StartPurpose,
} from '@weft/nodes/descriptors';
import { readDefinition, type WorkflowDefinition } from '@weft/node-catalogue';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import type { FieldError } from '@weft/service-kit/errors';
import { toFieldErrors } from './field-errors';
import { completeDefinition, parseStored } from './type-version-defaults';
import type { Version } from './workflow';

/** Settings of a webhook node or a form trigger that matter at intake. */
export type ChannelSettings = NonNullable<ResolvedWebhook['settings']>;

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
  /** Intake settings of each webhook node and form trigger, by the node's name. */
  readonly channelSettings: ReadonlyMap<string, ChannelSettings>;
  /** About what it costs in memory, in bytes. */
  readonly cost: number;
}

const NODE_COST = 300;
/** Bytes in memory of one character of a definition that is kept. */
const COST_OF_TEXT = 4;
/** Bytes in memory of one character of settings, were they written as JSON. */
const COST_OF_SETTINGS = 3;

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

const channelSettingsOf = (definition: WorkflowDefinition): ReadonlyMap<string, ChannelSettings> =>
  new Map<string, ChannelSettings>([
    ...webhookNodes(definition).map((node): [string, ChannelSettings] => [
      node.name,
      { $case: 'webhook', value: webhookSettingsOf(node) },
    ]),
    ...formNodes(definition).map((node): [string, ChannelSettings] => [
      node.name,
      { $case: 'form', value: formSettingsOf(definition, node) },
    ]),
  ]);

/** Reads the facts out of a stored version. */
export const readVersionFacts = (version: Version): VersionFacts => {
  const definition = readDefinition({ ...completeDefinition(parseStored(version), version.typeVersions) });
  const skeleton = skeletonOf(definition);
  // Most versions have no fault at all, and keep nothing of their definition here.
  const isSound = checkDefinition(definition).length === 0;
  const channelSettings = channelSettingsOf(definition);
  const settingsCost = [...channelSettings.values()].reduce(
    (sum, settings) => sum + JSON.stringify(settings).length,
    0,
  );
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
    channelSettings,
    cost:
      1_000 +
      definition.nodes.length * NODE_COST +
      (isSound ? 0 : version.definition.length * COST_OF_TEXT) +
      settingsCost * COST_OF_SETTINGS,
  };
};
