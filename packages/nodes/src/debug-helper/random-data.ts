import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';

/** Returns random integers from 0 to below a limit. */
export type Draw = (bound: number) => number;

/** Random numbers derived from a seed; different each time if it is empty. */
export function drawFrom(seed: string): Draw {
  const key = seed === '' ? randomBytes(32) : Buffer.from(seed);
  let block = Buffer.alloc(0);
  let [at, blocks] = [0, 0];
  return (bound) => {
    if (at + 4 > block.length) {
      block = createHash('sha256').update(key).update(`:${blocks}`).digest();
      [at, blocks] = [0, blocks + 1];
    }
    const number = block.readUInt32BE(at);
    at += 4;
    return number % bound;
  };
}

const FIRST_NAMES = ['Ada', 'Bo', 'Carla', 'Deniz', 'Emil', 'Fatou', 'Grace', 'Hugo', 'Ines', 'Jonas', 'Kim', 'Lea'];
const LAST_NAMES = ['Adler', 'Baker', 'Costa', 'Diallo', 'Eriksen', 'Fischer', 'Gupta', 'Hansen', 'Ito', 'Jansen'];
const STREETS = ['Main Street', 'Oak Avenue', 'Mill Lane', 'Station Road', 'Park Drive', 'High Street', 'Lake Road'];
type Place = readonly [city: string, state: string, country: string];
const PLACES: readonly [Place, ...Place[]] = [
  ['Springfield', 'Illinois', 'United States'],
  ['Bern', 'Bern', 'Switzerland'],
  ['Lyon', 'Rhone', 'France'],
  ['Porto', 'Porto', 'Portugal'],
  ['Kyoto', 'Kyoto', 'Japan'],
];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const HEX = '0123456789abcdef';
const DIGITS = '0123456789';

const oneOf = <Value>(draw: Draw, [first, ...others]: readonly [Value, ...Value[]]): Value =>
  others[draw(others.length + 1) - 1] ?? first;
const oneOfNames = (draw: Draw, names: readonly string[]): string => names[draw(names.length)] ?? '';
/** A random string of characters of an alphabet. */
export const textFrom = (draw: Draw, alphabet: readonly string[], length: number): string =>
  Array.from({ length }, () => oneOfNames(draw, alphabet)).join('');
const letters = (draw: Draw, length: number): string => textFrom(draw, [...LETTERS], length);
const hex = (draw: Draw, length: number): string => textFrom(draw, [...HEX], length);
const digits = (draw: Draw, length: number): string => textFrom(draw, [...DIGITS], length);
const numbers = (draw: Draw, count: number, bound: number): number[] =>
  Array.from({ length: count }, () => draw(bound));

const firstName = (draw: Draw): string => oneOfNames(draw, FIRST_NAMES);
const lastName = (draw: Draw): string => oneOfNames(draw, LAST_NAMES);
const email = (draw: Draw): string => `${letters(draw, 8)}@example.${oneOf(draw, ['com', 'net', 'org'])}`;
const uuid = (draw: Draw): string => {
  const variant = (): string => oneOf(draw, ['8', '9', 'a', 'b']);
  return `${hex(draw, 8)}-${hex(draw, 4)}-4${hex(draw, 3)}-${variant()}${hex(draw, 3)}-${hex(draw, 12)}`;
};
const degrees = (draw: Draw, most: number): string =>
  ((draw(2 * most * 10_000 + 1) - most * 10_000) / 10_000).toFixed(4);

function address(draw: Draw): JsonObject {
  const [city, state, country] = oneOf(draw, PLACES);
  return {
    firstname: firstName(draw),
    lastname: lastName(draw),
    street: `${1 + draw(200)} ${oneOfNames(draw, STREETS)}`,
    city,
    zip: digits(draw, 5),
    state,
    country,
  };
}

/** Generators by type. */
export const ENTRIES = {
  address,
  latLong: (draw: Draw): JsonObject => ({ location: `${degrees(draw, 90)}, ${degrees(draw, 180)}` }),
  creditCard: (draw: Draw): JsonObject => ({
    type: oneOf(draw, ['MasterCard', 'Visa']),
    // Numbers that no bank uses.
    number: `0000-${digits(draw, 4)}-${digits(draw, 4)}-${digits(draw, 4)}`,
    ccv: digits(draw, 3),
    exp: `${String(1 + draw(12)).padStart(2, '0')}/${String(1 + draw(40)).padStart(2, '0')}`,
    holder_name: `${firstName(draw)} ${lastName(draw)}`,
  }),
  email: (draw: Draw): JsonObject => ({ email: email(draw), confirmed: draw(2) === 1 }),
  ipv4: (draw: Draw): JsonObject => ({ ip: numbers(draw, 4, 256).join('.') }),
  ipv6: (draw: Draw): JsonObject => ({ ipv6: Array.from({ length: 8 }, () => hex(draw, 4)).join(':') }),
  macAddress: (draw: Draw): JsonObject => ({ mac: Array.from({ length: 6 }, () => hex(draw, 2)).join(':') }),
  url: (draw: Draw): JsonObject => ({ url: `https://${letters(draw, 8)}.example` }),
  user: (draw: Draw): JsonObject => ({
    uid: uuid(draw),
    email: email(draw),
    firstname: firstName(draw),
    lastname: lastName(draw),
    password: letters(draw, 12),
  }),
  uuid: (draw: Draw): JsonObject => ({ uuid: uuid(draw) }),
  semver: (draw: Draw): JsonObject => ({ version: numbers(draw, 3, 10).join('.') }),
} as const satisfies Readonly<Record<string, (draw: Draw) => JsonObject>>;
