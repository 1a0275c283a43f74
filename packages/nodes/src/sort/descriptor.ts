import type { KindDescriptor } from '@weft/node-catalogue';
import { DISABLE_DOT_NOTATION, SORT_CODE, SORT_FIELDS, SORT_TYPE } from '../descriptors/list-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  options: 'Additional options.',
} as const;

export const sort: KindDescriptor = {
  kind: 'sort',
  label: 'Sort',
  description: 'Sorts the items by fields, by custom code, or at random.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    SORT_TYPE,
    SORT_FIELDS,
    SORT_CODE,
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: [DISABLE_DOT_NOTATION] },
  ]),
};
