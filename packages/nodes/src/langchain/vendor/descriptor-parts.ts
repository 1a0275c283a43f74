import type { Conditions, OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { flag, modelLocator, number } from '../models/descriptor-parts';

/** Parameters that show only for an operation. */
export const of = (
  resource: string,
  operations: readonly string[],
  parameters: readonly ParameterDescriptor[],
): ParameterDescriptor[] =>
  parameters.map((one) => ({
    ...one,
    shownWhen: { resource: [resource], operation: operations, ...one.shownWhen },
  }));

/** The name of the model. */
export const MODEL_ID: ParameterDescriptor = { ...modelLocator(''), name: 'modelId' };

/** Mark of editors for models that cannot call tools. It has no effect: no tools are attached to them. */
export const HIDE_TOOLS: ParameterDescriptor = {
  ...text('hideTools', 'Hide tools'),
  help: 'Stored by editors for models that cannot call tools. It has no effect.',
};

export const SIMPLIFY = (help: string, initial = true): ParameterDescriptor =>
  flag('simplify', 'Simplify output', initial, help);

/** Who a message is from. @param all values and labels */
export const role = (all: readonly OptionDescriptor[]): ParameterDescriptor => ({
  name: 'role',
  label: 'Role',
  type: 'options',
  default: 'user',
  options: all,
  help: 'Who the message is from.',
});

/** The messages of a conversation. @param roles of a message */
export const messages = (roles: readonly OptionDescriptor[], help: string): ParameterDescriptor => ({
  name: 'messages',
  label: 'Messages',
  type: 'fixedCollection',
  multiple: true,
  default: { values: [{ content: '' }] },
  help,
  groups: [
    {
      name: 'values',
      label: 'Message',
      fields: [text('content', 'Text', '', { editor: 'multiline' }), role(roles)],
    },
  ],
});

/** Help of messages that may have no text. */
export const SKIPS_EMPTY = 'The conversation, the oldest message first. Messages without a text are left out.';

/** The options of an operation. */
export const options = (...fields: readonly ParameterDescriptor[]): ParameterDescriptor => ({
  name: 'options',
  label: 'Options',
  type: 'collection',
  default: {},
  help: 'Further settings.',
  fields,
});

/** Fields of the item that hold files. */
export const file = (help: string): ParameterDescriptor => ({
  ...text('binaryPropertyName', 'File field', 'data'),
  help,
});

/** Field of the output for a file. */
export const fileOutput = (initial = 'data'): ParameterDescriptor =>
  text('binaryPropertyOutput', 'Output field', initial, { help: 'Field for the file.' });

/** Condition: files are given by their addresses. */
export const BY_ADDRESS: Conditions = { inputType: ['url'] };

/** Answers of the model that call tools. */
export const ROUNDS: ParameterDescriptor = number(
  'maxToolsIterations',
  'Rounds of tools',
  15,
  'Answers of the model that call tools, at most 50; 0 for 50. The last answer is given as it is.',
);

/** An operation or resource that is refused by name. */
export const refused = (
  value: string,
  label: string,
  advice: string,
  over: Partial<OptionDescriptor> = {},
): OptionDescriptor => choice(value, label, { refused: `${label} is not supported. ${advice}`, ...over });

/** The choice between the operations of a resource. */
export const operation = (
  resource: string,
  initial: string,
  all: readonly OptionDescriptor[],
  over: Partial<ParameterDescriptor> = {},
): ParameterDescriptor => ({
  name: 'operation',
  label: 'Operation',
  type: 'options',
  default: initial,
  options: all,
  shownWhen: { resource: [resource] },
  help: 'The call that the node makes.',
  ...over,
});

/** The choice between resources. */
export const resource = (all: readonly OptionDescriptor[]): ParameterDescriptor => ({
  name: 'resource',
  label: 'Resource',
  type: 'options',
  default: 'text',
  options: all,
  help: 'Kind of content that the node works with.',
});
