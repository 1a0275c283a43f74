import { recordOf, textOf } from './arguments';

/** The parts of a URL that the engine cannot take apart itself. */
const PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/**
 * `{ url, base?, set? }`, with the names and new values of parts in `set`. Gives all parts of the URL.
 * @throws TypeError `Invalid URL`
 */
export function parseUrl(argument: unknown): Record<string, string> {
  const { url, base, set } = recordOf(argument);
  const parsed = base === undefined ? new URL(textOf(url)) : new URL(textOf(url), textOf(base));
  for (const [name, value] of Object.entries(set === undefined ? {} : recordOf(set))) {
    const part = PARTS.find((one) => one === name);
    if (part !== undefined && part !== 'origin') parsed[part] = textOf(value);
  }
  return Object.fromEntries(PARTS.map((part) => [part, parsed[part]]));
}
