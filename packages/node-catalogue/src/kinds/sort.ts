import type { KindDescriptor } from '../descriptor';
import { DISABLE_DOT_NOTATION, SORT_CODE, SORT_FIELDS, SORT_TYPE } from './list-parameters';
import { withHelp } from './with-help';

const HELP = {
  options: 'Less common settings.',
} as const;

/** Puts the items in another order. */
export const sort: KindDescriptor = {
  kind: 'sort',
  label: 'Sort',
  description: 'Puts the items in another order: by fields, by code of your own, or at random.',
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
