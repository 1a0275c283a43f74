import {
  checkParameters,
  MAX_FIELD_ERRORS,
  concurrencyErrors,
  type DefinitionError,
  type NodeDefinition,
  type WorkflowDefinition,
  kindOf,
  nearestKinds,
  versionOf,
  scheduleErrors,
} from '@weft/node-catalogue';
import { linkErrors } from './check-links';
import { formErrors } from './form-settings';
import { REFUSED_KINDS } from './refused-kinds';
import { describeKind, KINDS } from '../descriptors/kinds';
import { routeErrors } from './routes';

/**
 * Errors that prevent a stored workflow from being activated or started: unknown or unsupported node kinds, versions
 * and options, missing values, invalid webhook paths and schedules, links with misspelt names. Disabled nodes and notes
 * are skipped.
 * @returns at most `MAX_FIELD_ERRORS` errors, in the order of the nodes; empty if the definition is valid
 * @param among names of the nodes to check; all by default
 */
export function checkDefinition(definition: WorkflowDefinition, among?: ReadonlySet<string>): DefinitionError[] {
  const counts = ({ node }: DefinitionError): boolean => among === undefined || node === undefined || among.has(node);
  return [
    ...checkSettings(definition),
    ...concurrencyErrors(definition),
    ...definition.nodes.flatMap((node) => (node.disabled === true ? [] : checkNode(node))),
    ...routeErrors(definition),
    ...formErrors(definition),
    ...scheduleErrors(definition),
    ...linkErrors(definition, among),
  ]
    .filter(counts)
    .slice(0, MAX_FIELD_ERRORS);
}

function checkSettings({ settings }: WorkflowDefinition): DefinitionError[] {
  const order = settings.executionOrder;
  if (order === undefined || order === '' || order === 'v1') return [];
  return [
    {
      field: 'settings.executionOrder',
      message:
        order === 'v0'
          ? 'The execution order "v0" is not supported. Set settings.executionOrder to "v1": each branch then ' +
            'runs to its end before the next one begins.'
          : `The execution order ${JSON.stringify(order)} is not supported. Use "v1" or omit it.`,
    },
  ];
}

function checkNode(node: NodeDefinition): DefinitionError[] {
  const kind = kindOf(node.type);
  const descriptor = kind === undefined ? undefined : describeKind(kind);
  if (descriptor === undefined) return [unknownKind(node)];
  if (descriptor.neverRuns === true) return [];
  const version = versionOf(node, descriptor);
  if (!descriptor.versions.includes(version)) {
    const known = descriptor.versions.join(', ');
    return [
      {
        node: node.name,
        field: 'typeVersion',
        message: `Node "${node.name}": version ${version} of ${descriptor.kind} is not supported. Supported: ${known}.`,
      },
    ];
  }
  return checkParameters(node, descriptor);
}

function unknownKind(node: NodeDefinition): DefinitionError {
  const name = kindOf(node.type) ?? node.type.split('.').at(-1) ?? node.type;
  const refusal = Object.hasOwn(REFUSED_KINDS, name) ? REFUSED_KINDS[name] : undefined;
  if (refusal !== undefined)
    return { node: node.name, field: 'type', message: `Node "${node.name}": ${name} is not supported. ${refusal}` };
  const near = nearestKinds(
    name,
    KINDS.map((descriptor) => descriptor.kind),
  );
  const hint =
    near.length === 0
      ? 'The known kinds are listed at GET /api/v1/node-types.'
      : `The nearest known kinds are: ${near.join(', ')}.`;
  return {
    node: node.name,
    field: 'type',
    message: `Node "${node.name}" has the unknown type "${node.type.slice(0, 200)}". ${hint}`,
  };
}
