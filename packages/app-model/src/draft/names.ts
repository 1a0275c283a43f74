/** Controls, and marks that change the direction of text. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const MAX_IDENTIFIER = 60;
const MAX_LABEL = 60;
const MAX_HELP = 200;
/** Longest text of which words are made. */
const MAX_READ = 2_000;
const UPPER = new Set(['api', 'html', 'http', 'id', 'ids', 'ip', 'json', 'pdf', 'sms', 'uri', 'url', 'urls', 'uuid']);
/** Names of an app's parameters that Weft reads, and names that every object has. */
const RESERVED = new Set([
  ...['resource', 'operation', 'authentication', 'options', 'returnAll'],
  ...['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'toLocaleString', 'isPrototypeOf'],
]);

/** True if a file or a terminal shows the string unchanged. */
export const isPlain = (text: string): boolean => text.search(HIDDEN) < 0 && text.isWellFormed();

/** The words of a name such as `created_at`, `createdAt` or `X-Created-At`, in ASCII. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .slice(0, MAX_READ)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return plain.match(/[A-Za-z]+|\d+/g) ?? [];
}

/** A name as an identifier, such as `createdAt`. @param fallback for a string without letters or digits */
export function identifierOf(text: string, fallback: string): string {
  const words = wordsOf(text).map((word) => word.toLowerCase());
  const joined = words.map((word, index) => (index === 0 ? word : capital(word))).join('');
  const name = joined === '' ? fallback : /^\d/.test(joined) ? `${fallback}${joined}` : joined;
  return name.slice(0, MAX_IDENTIFIER);
}

/** The name of a parameter: an identifier that means nothing else to Weft. */
export function parameterNameOf(text: string): string {
  const name = identifierOf(text, 'value');
  return RESERVED.has(name) ? `${name}Value` : name;
}

/** A name for people, such as `Created at`. */
export function labelOf(text: string): string {
  const words = wordsOf(text).map((word) => word.toLowerCase());
  const label = words.map((word, index) => (UPPER.has(word) ? word.toUpperCase() : index === 0 ? capital(word) : word));
  return label.join(' ').slice(0, MAX_LABEL).trim() || oneLine(text).slice(0, MAX_LABEL) || 'Empty';
}

/** The name of an app, such as `billing-api`. */
export function appNameOf(title: string): string {
  const words = wordsOf(title)
    .map((word) => word.toLowerCase())
    .filter((word) => !['the', 'api', 'rest', 'openapi', 'specification', 'swagger'].includes(word));
  const name = words.join('-').slice(0, 40).replace(/-$/, '');
  return /^[a-z]/.test(name) ? name : 'app';
}

/** Text of one line, without controls. */
export const oneLine = (text: string): string =>
  text.slice(0, MAX_READ).replaceAll(/\s+/g, ' ').replaceAll(HIDDEN, '').toWellFormed().trim();

/** The first sentence of a description in Markdown or HTML, or an empty string. */
export function firstSentence(description: string): string {
  const plain = oneLine(
    description
      .slice(0, MAX_READ)
      .replaceAll(/<[^<>]{0,200}>/g, '')
      .replaceAll(/\[([^[\]]{0,200})\]\([^()]{0,500}\)/g, '$1')
      .replaceAll(/[`*]/g, ''),
  );
  const [sentence = ''] = plain.split(/(?<=[.!?]) /);
  return sentence.length > MAX_HELP ? `${sentence.slice(0, MAX_HELP - 1)}…` : sentence;
}

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
