import type { OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';

/** One of the values of a parameter of type `options`. */
export const choice = (value: string, label: string, over: Partial<OptionDescriptor> = {}): OptionDescriptor => ({
  value,
  label,
  ...over,
});

/** A string. */
export const text = (
  name: string,
  label: string,
  initial = '',
  over: Partial<ParameterDescriptor> = {},
): ParameterDescriptor => ({ name, label, type: 'string', default: initial, ...over });

/** A switch. */
export const flag = (name: string, label: string, initial = false): ParameterDescriptor => ({
  name,
  label,
  type: 'boolean',
  default: initial,
});

/** The less common settings of some operations. */
export const options = (operation: readonly string[], fields: readonly ParameterDescriptor[]): ParameterDescriptor => ({
  name: 'options',
  label: 'Options',
  type: 'collection',
  default: {},
  shownWhen: { operation },
  fields,
});
