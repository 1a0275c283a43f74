import {
  booleanField,
  field,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
  type Json,
  type JsonObject,
} from '@weft/service-kit/json-values';
import type {
  Connections,
  CredentialReference,
  LinkEnd,
  NodeDefinition,
  OnError,
  WorkflowDefinition,
  WorkflowSettings,
} from './definition';

const ON_ERROR: readonly OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
const SETTING_TEXTS = [
  'executionOrder',
  'timezone',
  'errorWorkflow',
  'saveDataSuccessExecution',
  'saveDataErrorExecution',
  'callerPolicy',
  'crashPolicy',
] as const;

/**
 * Reads a definition from stored JSON. Never throws: fields that are missing or of a wrong type count as absent, and a
 * list entry that is not a node is left out. Use `checkShape` first where an error must be reported.
 */
export function readDefinition(value: Json): WorkflowDefinition {
  return {
    name: textField(value, 'name') ?? '',
    nodes: listField(value, 'nodes').flatMap((node) => (isJsonObject(node) ? readNode(node) : [])),
    connections: readConnections(objectField(value, 'connections') ?? {}),
    settings: readSettings(objectField(value, 'settings') ?? {}),
    pinData: readPins(objectField(value, 'pinData') ?? {}),
    staticData: objectField(value, 'staticData') ?? {},
  };
}

function readNode(node: JsonObject): NodeDefinition[] {
  const name = textField(node, 'name');
  const type = textField(node, 'type');
  if (name === undefined || type === undefined) return [];
  return [
    {
      id: textField(node, 'id') ?? '',
      name,
      type,
      position: readPosition(field(node, 'position')),
      parameters: objectField(node, 'parameters') ?? {},
      ...present('typeVersion', numberField(node, 'typeVersion')),
      ...present('credentials', readCredentials(objectField(node, 'credentials'))),
      ...present('disabled', booleanField(node, 'disabled')),
      ...present(
        'onError',
        ON_ERROR.find((mode) => mode === textField(node, 'onError')),
      ),
      ...present('continueOnFail', booleanField(node, 'continueOnFail')),
      ...present('retryOnFail', booleanField(node, 'retryOnFail')),
      ...present('maxTries', numberField(node, 'maxTries')),
      ...present('waitBetweenTries', numberField(node, 'waitBetweenTries')),
      ...present('alwaysOutputData', booleanField(node, 'alwaysOutputData')),
      ...present('executeOnce', booleanField(node, 'executeOnce')),
      // A value that is not known must not let a call pass.
      ...present('approval', approvalOf(node['approval'])),
      ...present('notes', textField(node, 'notes')),
      ...present('webhookId', textField(node, 'webhookId')),
    },
  ];
}

function approvalOf(value: Json | undefined): 'required' | undefined {
  return value === undefined || value === null || value === false || value === 'none' ? undefined : 'required';
}

function readPosition(value: Json | undefined): [number, number] {
  const [x, y] = Array.isArray(value) ? value : [];
  return [typeof x === 'number' ? x : 0, typeof y === 'number' ? y : 0];
}

function readCredentials(value: JsonObject | undefined): Record<string, CredentialReference> | undefined {
  if (value === undefined) return undefined;
  const entries = Object.entries(value).map(([type, reference]): [string, CredentialReference] => [
    type,
    // Definitions of the first format name a credential by its name only.
    typeof reference === 'string'
      ? { name: reference }
      : { ...present('id', textField(reference, 'id')), ...present('name', textField(reference, 'name')) },
  ]);
  return recordOf(entries);
}

function readConnections(value: JsonObject): Connections {
  return recordOf(
    Object.entries(value).map(([source, byType]) => [
      source,
      recordOf(
        Object.entries(isJsonObject(byType) ? byType : {}).map(([type, outputs]) => [type, readOutputs(outputs)]),
      ),
    ]),
  );
}

function readOutputs(outputs: Json): LinkEnd[][] {
  if (!Array.isArray(outputs)) return [];
  return outputs.map((ends) => (Array.isArray(ends) ? ends.flatMap(readLinkEnd) : []));
}

function readLinkEnd(end: Json): LinkEnd[] {
  const node = textField(end, 'node');
  if (node === undefined) return [];
  return [{ node, type: textField(end, 'type') ?? 'main', index: numberField(end, 'index') ?? 0 }];
}

function readSettings(value: JsonObject): WorkflowSettings {
  const texts = SETTING_TEXTS.flatMap((key): [string, string][] => {
    const text = textField(value, key);
    return text === undefined ? [] : [[key, text]];
  });
  return {
    ...Object.fromEntries(texts),
    ...present('executionTimeout', numberField(value, 'executionTimeout')),
    ...present('schedule', field(value, 'schedule')),
    ...present('webhookKey', field(value, 'webhookKey')),
    ...present('concurrency', field(value, 'concurrency')),
    ...present('models', field(value, 'models')),
  };
}

function readPins(value: JsonObject): Record<string, readonly Json[]> {
  return recordOf(
    Object.entries(value).flatMap(([node, items]): [string, Json[]][] => (Array.isArray(items) ? [[node, items]] : [])),
  );
}

/** A record without inherited names, so that a node called `constructor` only finds its own entries. */
function recordOf<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [key, value] of entries) record[key] = value;
  return record;
}

function present<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const found: { [P in K]?: V } = {};
  if (value !== undefined) found[key] = value;
  return found;
}
