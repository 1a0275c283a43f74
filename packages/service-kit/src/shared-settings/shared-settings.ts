import { withoutTrailing } from '../text';
import type { ConfigTable } from '../config';

/** Values of settings that all services share, by variable. */
export type SharedSettings = Readonly<Record<string, string>>;

const textOf = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value ?? ''));

/** Extracts the shared settings of a configuration. Empty ones are left out, because the service does not need them. */
export const sharedSettingsOf = (table: ConfigTable, values: Readonly<Record<string, unknown>>): SharedSettings =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, { shared }]) => shared === true)
      .map(([key, { env }]) => [env, textOf(values[key])])
      .filter(([, value]) => value !== ''),
  );

/** A setting with different values in two services. */
export interface Difference {
  readonly variable: string;
  readonly own: string;
  readonly theirs: string;
}

/** URLs with and without a trailing slash are equal. */
const isSame = (one: string, other: string): boolean => withoutTrailing(one, '/') === withoutTrailing(other, '/');

/** Returns the settings that both services have, with different values. */
export const differencesOf = (own: SharedSettings, theirs: SharedSettings): readonly Difference[] =>
  Object.entries(own).flatMap(([variable, value]) => {
    const other = theirs[variable];
    return other === undefined || isSame(value, other) ? [] : [{ variable, own: value, theirs: other }];
  });
