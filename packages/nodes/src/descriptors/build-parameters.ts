import type { OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';

/** One of the values of a parameter of type `options`. */
export const choice = (value: string, label: string, over: Partial<OptionDescriptor> = {}): OptionDescriptor => ({
  value,
  label,
  ...over,
});

export const text = (
  name: string,
  label: string,
  initial = '',
  over: Partial<ParameterDescriptor> = {},
): ParameterDescriptor => ({ name, label, type: 'string', default: initial, ...over });

export const flag = (name: string, label: string, initial = false): ParameterDescriptor => ({
  name,
  label,
  type: 'boolean',
  default: initial,
});

/** The less common settings of an operation. */
export const options = (operation: readonly string[], fields: readonly ParameterDescriptor[]): ParameterDescriptor => ({
  name: 'options',
  label: 'Options',
  type: 'collection',
  default: {},
  shownWhen: { operation },
  fields,
});

/** How unreadable records of a CSV file are handled. */
export const SKIP_RECORDS: ParameterDescriptor = {
  name: 'skipRecordsWithErrors',
  label: 'Skip records with errors',
  type: 'fixedCollection',
  groups: [
    {
      name: 'value',
      label: 'Skip',
      fields: [
        flag('enabled', 'Skip', false),
        {
          name: 'maxSkippedRecords',
          label: 'Limit',
          type: 'number',
          default: -1,
          help: 'Number of records; 0 or less for any number.',
        },
      ],
    },
  ],
};
