import type { Json } from '@weft/node-catalogue/definitions';
import type { ServiceOption } from '../../../../api/node-options';
import { createStore } from '../../../../ui/store';

/** Labels that are kept, so that a value which was chosen earlier is shown with its name. */
const MAX_LABELS = 2_000;

/** Labels of values that a list showed in this tab, by list and value. */
export const knownLabels = createStore<ReadonlyMap<string, string>>(new Map());

const keyOf = (list: string, value: Json): string => JSON.stringify([list, value]);

/** Keeps the labels of options. */
export const noteLabels = (list: string, options: readonly ServiceOption[]): void => {
  const known = knownLabels.get();
  const added = options.filter(({ label, value }) => known.get(keyOf(list, value)) !== label);
  if (added.length === 0) return;
  const all = [...known, ...added.map(({ label, value }) => [keyOf(list, value), label] as const)];
  knownLabels.set(new Map(all.slice(-MAX_LABELS)));
};

/** The label of a value of a list, if it was shown. */
export const labelIn = (known: ReadonlyMap<string, string>, list: string, value: Json): string | undefined =>
  known.get(keyOf(list, value));
