import type { Node } from '@weft/proto/workflows';
import type { FieldError } from '@weft/service-kit/errors';
import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json';
import { bodyObject, readFields, refuseFieldErrors, without } from '../../http/body-fields';
import { checkMessageSize } from '../../http/message-size';

/** A definition, split as the workflows service takes it. */
export interface WorkflowBody {
  readonly name: string;
  readonly nodes: Node[];
  readonly connectionsJson: string;
  readonly settingsJson: string;
  readonly extraJson: string;
  /** Undefined if the body does not say. */
  readonly active: boolean | undefined;
}

const NODE_FIELDS = ['id', 'name', 'type', 'position', 'parameters'];
/** Set by the service; what GET gives must be fit for PUT, so they are passed over. */
const SERVICE_FIELDS = ['id', 'createdAt', 'updatedAt'];
const WORKFLOW_FIELDS = [...SERVICE_FIELDS, 'name', 'active', 'nodes', 'connections', 'settings'];

const isPosition = (value: Json[]): value is number[] =>
  value.length === 2 && value.every((part) => typeof part === 'number');

const readNode = (value: Json, index: number, faults: FieldError[]): Node[] => {
  if (!isJsonObject(value)) {
    faults.push({ field: `nodes[${index}]`, message: 'must be an object' });
    return [];
  }
  const fields = readFields(value, faults, `nodes[${index}].`);
  fields.require('name', 'type');
  const position = fields.array('position') ?? [];
  const isUsable = position.length === 0 || isPosition(position);
  if (!isUsable) fields.fault('position', 'must be an array of two numbers');
  const parameters = fields.object('parameters');
  return [
    {
      id: fields.string('id') ?? '',
      name: fields.string('name') ?? '',
      type: fields.string('type') ?? '',
      position: isPosition(position) ? position : [],
      parametersJson: parameters === undefined ? '' : JSON.stringify(parameters),
      extraJson: JSON.stringify(without(value, NODE_FIELDS)),
    },
  ];
};

const present = (body: JsonObject, name: string): JsonObject => (body[name] === null ? without(body, [name]) : body);

/**
 * Reads the body of a creation or replacement: the contract's fields strictly, everything else is kept as it came.
 * @param required fields that must be there.
 * @throws InvalidRequest; PayloadTooLarge
 */
export const readWorkflowBody = (body: Json | undefined, required: readonly string[]): WorkflowBody => {
  const faults: FieldError[] = [];
  const object = present(bodyObject(body), 'settings');
  const fields = readFields(object, faults);
  fields.require(...required);
  const nodes = (fields.array('nodes') ?? []).flatMap((node, index) => readNode(node, index, faults));
  const read = {
    name: fields.string('name') ?? '',
    nodes,
    connectionsJson: JSON.stringify(fields.object('connections') ?? {}),
    settingsJson: JSON.stringify(fields.object('settings') ?? {}),
    extraJson: JSON.stringify(without(object, WORKFLOW_FIELDS)),
    active: fields.boolean('active'),
  };
  refuseFieldErrors(faults);
  checkMessageSize(
    nodes.reduce(
      (sum, node) => sum + node.parametersJson.length + node.extraJson.length,
      read.connectionsJson.length + read.settingsJson.length + read.extraJson.length,
    ),
  );
  return read;
};
