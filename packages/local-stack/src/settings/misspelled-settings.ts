import { findPlaces, type Environment } from '../places';
import { COMMAND_LINE_SETTINGS, LOCAL_SETTINGS } from './local-settings';
import { loadServiceConfigs } from './service-configs';

/** Shorter names of other programs resemble ours by chance. */
const MIN_LENGTH = 6;
const MAX_LENGTH = 60;
/** Letters of a name for which one may differ. */
const LETTERS_PER_ERROR = 6;

/** Number of letters to insert, remove or replace; more than `allowed` are not counted to the end. */
const distance = (one: string, other: string, allowed: number): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 0; line < one.length; line += 1) {
    const next = [line + 1];
    for (let column = 0; column < other.length; column += 1) {
      const replaced = (row[column] ?? 0) + (one[line] === other[column] ? 0 : 1);
      next.push(Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, replaced));
    }
    if (Math.min(...next) > allowed) return allowed + 1;
    row = next;
  }
  return row[other.length] ?? 0;
};

const knownSettings = (environment: Environment): ReadonlySet<string> => {
  const configs = loadServiceConfigs(findPlaces(environment).checkout);
  const ofServices = configs.flatMap(([, { table }]) => Object.values(table).map(({ env }) => env));
  return new Set([
    ...LOCAL_SETTINGS.map(({ variable }) => variable),
    ...COMMAND_LINE_SETTINGS,
    ...ofServices,
    ...ofServices.map((name) => `${name}_FILE`),
  ]);
};

/** Finds variables that are not settings, but resemble one. @returns a sentence for each */
export const misspelledSettings = (environment: Environment): readonly string[] => {
  const known = knownSettings(environment);
  return Object.keys(environment)
    .filter((name) => !known.has(name) && name.length >= MIN_LENGTH && name.length <= MAX_LENGTH)
    .flatMap((name) => {
      const allowed = Math.floor(name.length / LETTERS_PER_ERROR);
      const [nearest] = [...known]
        .filter((one) => Math.abs(one.length - name.length) <= allowed)
        .map((one) => ({ one, errors: distance(name, one, allowed) }))
        .filter(({ errors }) => errors <= allowed)
        .sort((left, right) => left.errors - right.errors);
      if (nearest !== undefined) return [`${name} is not a setting and has no effect. Did you mean ${nearest.one}?`];
      return name.startsWith('WEFT_')
        ? [`${name} is not a setting and has no effect. docs/configuration.md lists all settings.`]
        : [];
    });
};
