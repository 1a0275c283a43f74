import { editDistance } from '@weft/node-catalogue/definitions';

/** Names up to this length are compared letter by letter with at most that many others, which bounds the work. */
const MAX_COMPARED_LENGTH = 64;
const MAX_COMPARED_NAMES = 100;

const digitsOf = (name: string): string => name.replace(/\D+/g, ' ').trim();

const plain = (name: string): string => name.trim().toLowerCase();

/** Number of letters that may differ: none in short names, where each letter makes a different name. */
const tolerance = (name: string): number => (name.length < 4 ? 0 : name.length < 9 ? 1 : 2);

/**
 * The most likely intended name for one that does not exist: it differs only in case and surrounding whitespace, or in
 * one or two letters. Names that differ in their numbers never match, since editors number copies ("Set", "Set1").
 */
export function nearName(wanted: string, names: readonly string[]): string | undefined {
  const text = plain(wanted);
  const equal = names.find((name) => plain(name) === text);
  if (equal !== undefined || wanted.length > MAX_COMPARED_LENGTH) return equal;
  const digits = digitsOf(wanted);
  const allowed = tolerance(text);
  return names
    .filter((name) => Math.abs(plain(name).length - text.length) <= allowed && digitsOf(name) === digits)
    .slice(0, MAX_COMPARED_NAMES)
    .map((name) => ({ name, distance: editDistance(text, plain(name)) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((one, other) => one.distance - other.distance)[0]?.name;
}
