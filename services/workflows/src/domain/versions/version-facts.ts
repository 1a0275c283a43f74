import {
  chatNodes,
  chatSettingsOf,
  checkDefinition,
  formNodes,
  formSettingsOf,
  mcpNodes,
  mcpSettingsOf,
  hookNodes,
  hookSettingsOf,
  reachableFrom,
  startNodeOf,
  webhookNodes,
  webhookSettingsOf,
  type StartNode,
  type StartPurpose,
} from '@weft/nodes/descriptors';
import { eventKeyRuleOf, type WorkflowDefinition } from '@weft/node-catalogue';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import type { FieldError } from '@weft/service-kit/errors';
import { toFieldErrors } from '../errors';
import { readVersion, withPins } from '../definitions/type-version-defaults';
import type { Version } from '../workflows/workflow';

/** Settings of a webhook node or form trigger that matter when a request is received. */
export type IngressSettings = NonNullable<ResolvedWebhook['settings']>;

/** Facts of a version that starts and webhook calls depend on; small, so that many fit into memory. */
export interface VersionFacts {
  /**
   * Errors of a run from a node: those of all nodes it can reach, except those whose pinned data it uses. Empty if it
   * can run.
   */
  readonly errorsFrom: (startNode: string, usePinData: boolean) => readonly FieldError[];
  /** Errors of all nodes of an unknown kind. */
  readonly unknownKinds: () => readonly FieldError[];
  /** The node where a run begins: the given one, or the version's own start node. */
  readonly startNode: (name?: string, purpose?: StartPurpose) => StartNode;
  /** Settings of each webhook node and form trigger, by node name. */
  readonly ingressSettings: ReadonlyMap<string, IngressSettings>;
  /** Approximate memory in bytes. */
  readonly cost: number;
}

const NODE_COST = 300;
/** Bytes in memory of one character of a definition. */
const CHARACTER_COST = 4;
/** Bytes in memory of one character of settings as JSON. */
const SETTINGS_COST = 3;

/** Reduces a definition to the data that start nodes depend on. */
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
  ...withPins(definition.apps),
});

/** Caches the last value: a workflow is nearly always started at the same node. */
const cacheLast = <Value>(make: (key: string) => Value): ((key: string) => Value) => {
  let last: { readonly key: string; readonly value: Value } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
};

const errorsFromOf = (definition: WorkflowDefinition): VersionFacts['errorsFrom'] => {
  const reachedFrom = cacheLast((start) => reachableFrom(definition, [start]));
  return (start, usePinData) => {
    const runs = [...reachedFrom(start)].filter((name) => !usePinData || !Object.hasOwn(definition.pinData, name));
    return toFieldErrors(definition, checkDefinition(definition, new Set(runs)));
  };
};

const ingressSettingsOf = (definition: WorkflowDefinition): ReadonlyMap<string, IngressSettings> =>
  new Map<string, IngressSettings>([
    ...webhookNodes(definition).map((node): [string, IngressSettings] => [
      node.name,
      { $case: 'webhook', value: { ...webhookSettingsOf(node), eventKey: eventKeyRuleOf(definition.settings) } },
    ]),
    ...chatNodes(definition).map((node): [string, IngressSettings] => [
      node.name,
      { $case: 'webhook', value: chatSettingsOf(node) },
    ]),
    ...mcpNodes(definition).map((node): [string, IngressSettings] => [
      node.name,
      { $case: 'webhook', value: mcpSettingsOf(node) },
    ]),
    ...hookNodes(definition).map((node): [string, IngressSettings] => [
      node.name,
      { $case: 'webhook', value: { ...hookSettingsOf(node), eventKey: eventKeyRuleOf(definition.settings) } },
    ]),
    ...formNodes(definition).map((node): [string, IngressSettings] => [
      node.name,
      { $case: 'form', value: formSettingsOf(definition, node) },
    ]),
  ]);

/** Extracts the facts of a stored version. */
export const readVersionFacts = (version: Version): VersionFacts =>
  factsOf(readVersion(version), version.definition.length);

/** Extracts the facts of a completed definition. @param length of its text, in characters */
export const factsOf = (definition: WorkflowDefinition, length: number): VersionFacts => {
  const skeleton = skeletonOf(definition);
  // Most versions are valid and keep nothing of their definition in memory.
  const isValid = checkDefinition(definition).length === 0;
  const ingressSettings = ingressSettingsOf(definition);
  const settingsCost = [...ingressSettings.values()].reduce(
    (sum, settings) => sum + JSON.stringify(settings).length,
    0,
  );
  return {
    errorsFrom: isValid ? () => [] : errorsFromOf(definition),
    unknownKinds: isValid
      ? () => []
      : () =>
          toFieldErrors(
            definition,
            checkDefinition(definition).filter(({ field }) => field === 'type'),
          ),
    startNode: (name, purpose) => startNodeOf(skeleton, name, purpose),
    ingressSettings,
    cost:
      1_000 +
      definition.nodes.length * NODE_COST +
      (isValid ? 0 : length * CHARACTER_COST) +
      settingsCost * SETTINGS_COST +
      (definition.apps ?? []).reduce((sum, { json }) => sum + json.length, 0),
  };
};
