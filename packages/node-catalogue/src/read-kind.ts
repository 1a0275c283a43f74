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
import { isAttachmentType } from './attachment-types';
import type {
  AcceptedAttachment,
  Conditions,
  CredentialDescriptor,
  GroupDescriptor,
  KindDescriptor,
  LocatorMode,
  OperationDescriptor,
  OptionDescriptor,
  ParameterDescriptor,
  ParameterEditor,
  ParameterReference,
  ParameterType,
  PortsDescriptor,
  ProvidedAttachment,
  ToolUse,
  VersionRange,
} from './descriptor';

const TYPES: readonly ParameterType[] = [
  'string',
  'number',
  'boolean',
  'options',
  'multiOptions',
  'json',
  'dateTime',
  'collection',
  'fixedCollection',
  'filter',
  'assignmentCollection',
  'resourceLocator',
  'resourceMapper',
];
const EDITORS: readonly ParameterEditor[] = ['javascript', 'sql', 'html', 'json', 'cron', 'multiline'];
const REFERENCES: readonly ParameterReference[] = ['workflow', 'dataTable', 'credential'];
const MODES: readonly LocatorMode['name'][] = ['list', 'id', 'name', 'url', 'username'];
const GROUPS: KindDescriptor['groups'] = ['trigger', 'transform', 'flow', 'input', 'output', 'annotation'];

/** Levels of fields within fields that are read. */
const MAX_DEPTH = 8;

/**
 * Reads a kind as `GET /node-types` returns it; undefined if it has no name. The server may be newer than the reader:
 * unknown fields are left out, and a parameter of an unknown type is `json`.
 */
export function readKind(value: unknown): KindDescriptor | undefined {
  const kind = textField(value, 'kind');
  if (kind === undefined) return undefined;
  const ports = listField(value, 'ports').flatMap((one) => (isJsonObject(one) ? [portsOf(one)] : []));
  const differs = textsOf(value, 'differs');
  const provides = listField(value, 'provides').flatMap(providedOf);
  const accepts = listField(value, 'accepts').flatMap(acceptedOf);
  const groups = listField(value, 'groups');
  const usableAsTool = objectField(value, 'usableAsTool');
  const toolOf = textField(value, 'toolOf');
  return {
    kind,
    label: textField(value, 'label') ?? kind,
    description: textField(value, 'description') ?? '',
    versions: listField(value, 'versions').filter((version) => typeof version === 'number'),
    groups: groups.flatMap((group) => GROUPS.find((one) => one === group) ?? []),
    isTrigger: booleanField(value, 'isTrigger') ?? false,
    inputs: textsOf(value, 'inputs') ?? [],
    outputs: textsOf(value, 'outputs') ?? [],
    ...(ports.length > 0 && { ports }),
    ...(provides.length > 0 && { provides }),
    ...(accepts.length > 0 && { accepts }),
    ...(usableAsTool !== undefined && { usableAsTool: toolUseOf(usableAsTool) }),
    ...(toolOf !== undefined && { toolOf }),
    credentials: listField(value, 'credentials').flatMap(credentialOf),
    parameters: parametersOf(listField(value, 'parameters'), 0),
    ...(differs !== undefined && { differs }),
    ...(booleanField(value, 'neverRuns') === true && { neverRuns: true }),
  };
}

function parametersOf(values: readonly Json[], depth: number): ParameterDescriptor[] {
  return depth > MAX_DEPTH ? [] : values.flatMap((value) => parameterOf(value, depth));
}

function parameterOf(value: Json, depth: number): ParameterDescriptor[] {
  const name = textField(value, 'name');
  if (name === undefined || !isJsonObject(value)) return [];
  const initial = field(value, 'default');
  const help = textField(value, 'help');
  const refused = textField(value, 'refused');
  const placeholder = textField(value, 'placeholder');
  const list = textField(value, 'list');
  const editor = EDITORS.find((one) => one === value['editor']);
  const reference = REFERENCES.find((one) => one === value['reference']);
  const operations = objectField(value, 'operations');
  const hiddenWhen = conditionsOf(value, 'hiddenWhen');
  const required = booleanField(value, 'required');
  const multiple = booleanField(value, 'multiple');
  const fixed = booleanField(value, 'fixed');
  return [
    {
      name,
      label: textField(value, 'label') ?? name,
      type: TYPES.find((type) => type === value['type']) ?? 'json',
      ...rangeOf(value),
      ...(initial !== undefined && { default: initial }),
      ...(required !== undefined && { required }),
      ...(Array.isArray(value['options']) && { options: value['options'].flatMap(optionOf) }),
      ...(list !== undefined && { list }),
      ...(Array.isArray(value['fields']) && { fields: parametersOf(value['fields'], depth + 1) }),
      ...(Array.isArray(value['groups']) && { groups: value['groups'].flatMap((one) => groupOf(one, depth)) }),
      ...(multiple !== undefined && { multiple }),
      ...(Array.isArray(value['modes']) && { modes: value['modes'].flatMap(modeOf) }),
      ...(operations !== undefined && { operations: operationsOf(operations) }),
      ...(help !== undefined && { help }),
      ...shownWhenOf(value),
      ...(hiddenWhen !== undefined && { hiddenWhen }),
      ...(refused !== undefined && { refused }),
      ...(fixed !== undefined && { fixed }),
      ...(editor !== undefined && { editor }),
      ...(reference !== undefined && { reference }),
      ...(placeholder !== undefined && { placeholder }),
    },
  ];
}

function rangeOf(value: JsonObject): VersionRange {
  const [since, until] = [numberField(value, 'since'), numberField(value, 'until')];
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

function optionOf(option: Json): OptionDescriptor[] {
  const value = field(option, 'value');
  if (value === undefined || !isJsonObject(option)) return [];
  const refused = textField(option, 'refused');
  const label = textField(option, 'label') ?? JSON.stringify(value);
  return [{ value, label, ...rangeOf(option), ...(refused !== undefined && { refused }) }];
}

function modeOf(mode: Json): LocatorMode[] {
  const name = MODES.find((one) => one === field(mode, 'name'));
  if (name === undefined) return [];
  const [extract, list] = [textField(mode, 'extract'), textField(mode, 'list')];
  return [
    {
      name,
      label: textField(mode, 'label') ?? name,
      ...(extract !== undefined && { extract }),
      ...(list !== undefined && { list }),
    },
  ];
}

function groupOf(group: Json, depth: number): GroupDescriptor[] {
  const name = textField(group, 'name');
  if (name === undefined) return [];
  const fields = parametersOf(listField(group, 'fields'), depth + 1);
  return [{ name, label: textField(group, 'label') ?? name, fields }];
}

function operationsOf(operations: JsonObject): Record<string, readonly OperationDescriptor[]> {
  return Object.fromEntries(
    Object.keys(operations).map((type) => [
      type,
      listField(operations, type).flatMap((operation): OperationDescriptor[] => {
        const value = textField(operation, 'value');
        if (value === undefined) return [];
        const isSingle = booleanField(operation, 'singleValue') === true;
        return [{ value, label: textField(operation, 'label') ?? value, ...(isSingle && { singleValue: true }) }];
      }),
    ]),
  );
}

function conditionsOf(value: JsonObject, name: 'shownWhen' | 'hiddenWhen'): Conditions | undefined {
  const conditions = objectField(value, name);
  if (conditions === undefined) return undefined;
  return Object.fromEntries(Object.keys(conditions).map((key) => [key, listField(conditions, key)]));
}

function shownWhenOf(value: JsonObject): { readonly shownWhen?: Conditions } {
  const shownWhen = conditionsOf(value, 'shownWhen');
  return shownWhen === undefined ? {} : { shownWhen };
}

function credentialOf(credential: Json): CredentialDescriptor[] {
  const type = textField(credential, 'type');
  if (type === undefined || !isJsonObject(credential)) return [];
  const storedType = textField(credential, 'storedType');
  return [
    {
      type,
      ...(storedType === undefined ? {} : { storedType }),
      required: booleanField(credential, 'required') ?? false,
      ...shownWhenOf(credential),
    },
  ];
}

function providedOf(value: Json): ProvidedAttachment[] {
  const type = textField(value, 'type');
  if (type === undefined || !isAttachmentType(type) || !isJsonObject(value)) return [];
  return [{ type, ...rangeOf(value), ...shownWhenOf(value) }];
}

function acceptedOf(value: Json): AcceptedAttachment[] {
  const max = numberField(value, 'max');
  return providedOf(value).map((rule) => ({
    ...rule,
    label: textField(value, 'label') ?? rule.type,
    ...(booleanField(value, 'required') === true && { required: true }),
    ...(max !== undefined && { max }),
  }));
}

function toolUseOf(use: JsonObject): ToolUse {
  const parameters = parametersOf(listField(use, 'parameters'), 0);
  return { ...rangeOf(use), ...(parameters.length > 0 && { parameters }) };
}

function portsOf(ports: JsonObject): PortsDescriptor {
  const [inputs, outputs] = [textsOf(ports, 'inputs'), textsOf(ports, 'outputs')];
  const [inputsBy, outputsBy] = [textField(ports, 'inputsBy'), textField(ports, 'outputsBy')];
  return {
    ...rangeOf(ports),
    ...(inputs !== undefined && { inputs }),
    ...(outputs !== undefined && { outputs }),
    ...(inputsBy !== undefined && { inputsBy }),
    ...(outputsBy !== undefined && { outputsBy }),
    ...shownWhenOf(ports),
  };
}

function textsOf(value: unknown, name: string): string[] | undefined {
  const list = field(value, name);
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : undefined;
}
