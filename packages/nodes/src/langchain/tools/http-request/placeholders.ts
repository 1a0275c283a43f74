import type { Json, JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';

/** Description and type of a placeholder. */
export interface Definition {
  readonly name: string;
  /** Absent: text. */
  readonly type: 'string' | 'number' | 'boolean' | 'json' | undefined;
  readonly description: string;
}

const PLACEHOLDER = /\{([a-zA-Z0-9_-]+)\}/g;

/** Names of the placeholders in a text, in their order. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** @throws NodeFailure for a host that the model chooses for a credential, and for definitions that are not used */
export function checkPlaceholders(
  url: string,
  isAuthenticated: boolean,
  definitions: readonly Definition[],
  used: readonly string[],
  itemIndex: number,
): void {
  if (isAuthenticated && placeholdersIn(originOf(url)).length > 0)
    throw new NodeFailure('The host of the URL cannot be a placeholder when the request has a credential', {
      itemIndex,
      description: 'The model could send the credential to any host. Write the host into the URL.',
    });
  const unused = definitions.find(({ name }) => !used.includes(name));
  if (unused !== undefined)
    throw new NodeFailure(`The placeholder "${unused.name.slice(0, 100)}" is defined but not used`, {
      itemIndex,
      description: `Write {${unused.name.slice(0, 100)}} into a part of the request, or remove its definition.`,
    });
}

/** A URL up to its path. */
function originOf(url: string): string {
  return /^[^/?#]*\/\/[^/?#\\]*/.exec(url)?.[0] ?? url;
}

/** The URL with the values of its placeholders, encoded. @throws NodeFailure if a value would change its origin */
export function filledUrl(url: string, values: JsonObject, isAuthenticated: boolean, itemIndex: number): string {
  const filled = filledText(url, values, unquoted);
  let encoded: string;
  try {
    encoded = encodeURI(filled);
  } catch {
    throw new NodeFailure('The URL with the values of the model is not valid text', { itemIndex });
  }
  if (isAuthenticated && URL.canParse(encoded) && new URL(encoded).origin !== new URL(originOf(url)).origin)
    throw new NodeFailure('The values of the model would send the credential to another host', { itemIndex });
  return encoded;
}

/** Text without the quotes around it. */
function unquoted(text: string): string {
  const isQuote = (at: number): boolean => text[at] === '"' || text[at] === "'";
  let [start, end] = [0, text.length];
  while (start < end && isQuote(start)) start += 1;
  while (end > start && isQuote(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** Text with the values of its placeholders; those without a value become empty. */
export function filledText(text: string, values: JsonObject, clean = (value: string): string => value): string {
  return text.replace(PLACEHOLDER, (_whole, name: string) => clean(textOf(valueOf(values, name))));
}

/**
 * JSON text with the values of its placeholders. A value is one JSON value or, within a text in quotes, a part of that
 * text; it cannot add anything to the structure.
 */
export function filledJson(template: string, values: JsonObject, typeOf: (name: string) => Definition['type']): string {
  let isQuoted = false;
  let at = 0;
  let filled = '';
  for (const match of template.matchAll(PLACEHOLDER)) {
    const before = template.slice(at, match.index);
    isQuoted = endsQuoted(before, isQuoted);
    const [whole, name = ''] = match;
    const value = valueOf(values, name);
    filled += before + (isQuoted ? JSON.stringify(textOf(value)).slice(1, -1) : jsonOf(value, typeOf(name)));
    at = match.index + whole.length;
  }
  return filled + template.slice(at);
}

/** True if a piece of JSON text ends within a text in quotes. */
function endsQuoted(text: string, startsQuoted: boolean): boolean {
  let isQuoted = startsQuoted;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && isQuoted) at += 1;
    else if (text[at] === '"') isQuoted = !isQuoted;
  }
  return isQuoted;
}

/** A value outside of quotes. Text without a type that is JSON of a number or the like is that. */
function jsonOf(value: Json | undefined, type: Definition['type']): string {
  if (value === undefined) return 'null';
  if (typeof value !== 'string' || type === 'string') return JSON.stringify(value);
  return /^(?:-?\d{1,15}(?:\.\d+)?|true|false|null)$/.test(value.trim()) ? value.trim() : JSON.stringify(value);
}

function valueOf(values: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
