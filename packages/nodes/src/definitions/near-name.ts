import { editDistance } from '@weft/node-catalogue';

/** Names up to this length are compared letter by letter, with as many others at most: the work is bounded. */
const MAX_COMPARED_LENGTH = 64;
const MAX_COMPARED_NAMES = 100;

const digitsOf = (name: string): string => name.replace(/\D+/g, ' ').trim();

const plain = (name: string): string => name.trim().toLowerCase();

/** Letters that may differ: none in short names, where each letter makes another name. */
const tolerance = (name: string): number => (name.length < 4 ? 0 : name.length < 9 ? 1 : 2);

/**
 * The name that was most likely meant by one that does not exist: equal but for case and spaces around it, or a letter
 * or two away. Names that differ in their numbers are two names: editors number copies ("Set", "Set1").
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
