import type { Json, JsonObject } from '@weft/node-catalogue';
import { escapePattern, withoutTrailing } from '@weft/service-kit/text';
import type { Item, Outputs } from '../items/items';
import type { FileFacts } from '../ports/files';
import type { ExecutionError } from '../records/run-record';
import { MIN_DECLARED_LENGTH, secretsIn } from './credential-secrets';

/** Replacement of a secret. */
const MASK = '***';
const MIN_LENGTH = 8;
/** Secrets that one node run can have: those of its credentials, and tokens that were had with them. */
const MAX_SECRETS = 64;

/** The secrets that one node run was given; hides them in its output. */
export class SecretMask {
  readonly #secrets = new Set<string>();
  #pattern: RegExp | undefined;
  /** Forms of secrets as `startOf` compares them. */
  #starts: readonly string[] | undefined;

  /** Drops all secrets. */
  clear(): void {
    this.#secrets.clear();
    this.#pattern = undefined;
    this.#starts = undefined;
  }

  /** Learns the secrets in the data of a credential. Those that its type declares may be shorter. */
  learn(type: string, data: JsonObject): void {
    for (const secret of secretsIn(type, data)) this.#add(secret, MIN_DECLARED_LENGTH);
  }

  /** Learns one secret; ignores strings shorter than 8 characters. */
  add(secret: string): void {
    this.#add(secret, MIN_LENGTH);
  }

  #add(secret: string, minLength: number): void {
    if (secret.length < minLength || this.#secrets.size >= MAX_SECRETS) return;
    this.#secrets.add(secret);
    this.#pattern = undefined;
    this.#starts = undefined;
  }

  /** The text without secrets. */
  text(text: string): string {
    if (this.#secrets.size === 0 || text.length < MIN_DECLARED_LENGTH) return text;
    this.#pattern ??= patternOf([...this.#secrets]);
    return text.replace(this.#pattern, MASK);
  }

  /** Number of characters of a text whose mask does not depend on the characters that may follow it. */
  safeLength(text: string): number {
    if (this.#secrets.size === 0) return text.length;
    this.#starts ??= startsOf([...this.#secrets]);
    let length = startOf(text, this.#starts);
    this.#pattern ??= patternOf([...this.#secrets]);
    for (const { index, 0: found } of text.matchAll(this.#pattern))
      if (index < length && index + found.length > length) length = index;
    return length;
  }

  /**
   * Masks secrets in the JSON of items, names included, and in the facts about their files, not in file contents. Items
   * without secrets are returned as the same objects.
   */
  outputs(outputs: Outputs): Outputs {
    return this.#secrets.size === 0 ? outputs : outputs.map((items) => items.map((item) => this.#item(item)));
  }

  /** Masks secrets in JSON, names included. An object without secrets is returned as the same object. */
  json(json: JsonObject): JsonObject {
    return this.#secrets.size === 0 ? json : this.#object(json);
  }

  /** Masks secrets in the message, description and context of an error. */
  error(error: ExecutionError): ExecutionError {
    if (this.#secrets.size === 0) return error;
    const { message, description, context } = error;
    return {
      ...error,
      message: this.text(message),
      ...(description === undefined ? {} : { description: this.text(description) }),
      ...(context === undefined ? {} : { context: this.#object(context) }),
    };
  }

  #item(item: Item): Item {
    const json = this.#object(item.json);
    const error =
      item.error === undefined
        ? undefined
        : {
            ...item.error,
            message: this.text(item.error.message),
            ...(item.error.description === undefined ? {} : { description: this.text(item.error.description) }),
          };
    const binary = item.binary === undefined ? undefined : this.#members(item.binary, (file) => this.file(file));
    if (json === item.json && binary === item.binary && error === undefined) return item;
    return {
      ...item,
      json,
      ...(binary === undefined ? {} : { binary }),
      ...(error === undefined ? {} : { error }),
    };
  }

  /** Masks secrets in the facts about a file. */
  file<Facts extends FileFacts>(file: Facts): Facts {
    if (this.#secrets.size === 0) return file;
    const { mimeType, fileName, fileExtension } = file;
    const masked = {
      mimeType: this.text(mimeType),
      ...(fileName === undefined ? {} : { fileName: this.text(fileName) }),
      ...(fileExtension === undefined ? {} : { fileExtension: this.text(fileExtension) }),
    };
    const isSame =
      masked.mimeType === mimeType && masked.fileName === fileName && masked.fileExtension === fileExtension;
    return isSame ? file : { ...file, ...masked };
  }

  #object(object: JsonObject): JsonObject {
    return this.#members(object, (value) => this.#json(value));
  }

  /** An object with its names and values masked, in the same order; the same object if it holds no secret. */
  #members<Value>(
    object: Readonly<Record<string, Value>>,
    mask: (value: Value) => Value,
  ): Readonly<Record<string, Value>> {
    const entries = Object.entries(object).map(([name, value]) => [name, this.text(name), value, mask(value)] as const);
    if (entries.every(([name, maskedName, value, masked]) => name === maskedName && value === masked)) return object;
    const members = new Map<string, Value>();
    for (const [, maskedName, , masked] of entries) {
      let unique = maskedName;
      while (members.has(unique)) unique += '*';
      members.set(unique, masked);
    }
    // Unlike an assignment, this takes a member that is called __proto__ for one like any other.
    return Object.fromEntries(members);
  }

  #json(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value)) return this.#object(value);
    const masked = value.map((entry) => this.#json(entry));
    return masked.some((entry, index) => entry !== value[index]) ? masked : value;
  }
}

/** Forms of secrets without the backslashes that quoting adds any number of, in lower case. */
function startsOf(secrets: readonly string[]): readonly string[] {
  const forms = secrets.flatMap((secret) => {
    const texts = [secret, quoted(secret)];
    return [
      ...texts.flatMap((text) => [text, ...base64(text), Buffer.from(text).toString('hex')]),
      ...texts.flatMap((text) => addressed(text)),
    ];
  });
  return [...new Set(forms.map((form) => form.replaceAll('\\', '').toLowerCase()))];
}

/** Forms in addresses, whose percent signs may be encoded again. */
function addressed(text: string): string[] {
  const encoded = encodeURIComponent(Buffer.from(text).toString());
  const forms = [encoded, encoded.replaceAll('%20', '+')];
  return [...forms, ...forms.map((form) => form.replaceAll('%', '%25'))];
}

/** Index from which the rest of a text is the start of one of these forms; the length of the text if no rest is. */
function startOf(text: string, forms: readonly string[]): number {
  const longest = Math.max(...forms.map(({ length }) => length));
  // Each character of a form may have some backslashes before it.
  const from = Math.max(0, text.length - longest * 2);
  const tail = text.slice(from).toLowerCase();
  for (let index = 0; index < tail.length; index += 1) {
    if (tail[index] === '\\' && index > 0) continue;
    const rest = tail.slice(index).replaceAll('\\', '');
    if (forms.some((form) => form.length > rest.length && form.startsWith(rest))) return from + index;
  }
  return text.length;
}

/** Every form of every secret, the longest first: one may be a part of another. One pass over a string finds all. */
function patternOf(secrets: readonly string[]): RegExp {
  const forms = new Set(
    secrets.flatMap((secret) => [
      escaped(secret),
      escapePattern(quoted(secret)),
      // A header quotes it before anything else is done to it.
      ...[secret, quoted(secret)].flatMap((text) => [
        ...percentEncoded(text),
        ...base64(text).map(escapePattern),
        Buffer.from(text).toString('hex'),
      ]),
    ]),
  );
  // Services repeat what they were sent in upper or lower case, too. Linear: literals, and bounded runs of backslashes.
  return new RegExp([...forms].sort((a, b) => b.length - a.length).join('|'), 'gi');
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Backslashes before a character in a string that was quoted five times. Bounded: a string may hold millions. */
const MAX_BACKSLASHES = 31;
const LETTERS: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't' };

/** A pattern for the string as is and escaped any number of times, as in JSON within JSON or quoted headers. */
function escaped(text: string): string {
  // Backslashes are taken together with what stands behind them: no two repetitions can share what they match.
  return text.replaceAll(/\\+["\n\r\t]?|["\n\r\t]|[^\\"\n\r\t]+/g, (part) => {
    const last = part.at(-1) ?? '';
    const letter = LETTERS[last];
    const isSlashed = part.startsWith('\\');
    if (!isSlashed && last !== '"' && letter === undefined) return escapePattern(part);
    const slashes = `\\\\{${isSlashed ? 1 : 0},${MAX_BACKSLASHES}}`;
    if (letter === undefined) return last === '"' ? `${slashes}"` : slashes;
    return `${slashes}(?:\\${letter}|${letter})`;
  });
}

/** Shorter pieces of Base64 occur by chance. */
const MIN_BASE64_LENGTH = 10;

/**
 * Base64 forms of the string: in both alphabets, with and without padding, and the part that does not depend on the
 * adjacent bytes when the string is inside a longer one, such as a header or `user:password`.
 */
function base64(text: string): string[] {
  const bytes = Buffer.from(text);
  const inner = [0, 1, 2].map((offset) => {
    const behind = Buffer.concat([Buffer.alloc(offset), bytes]);
    return behind.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((behind.length * 8) / 6));
  });
  const forms = [bytes.toString('base64'), withoutTrailing(bytes.toString('base64'), '=')];
  return [...forms, ...inner.filter(({ length }) => length >= MIN_BASE64_LENGTH)].flatMap((form) => [
    form,
    form.replaceAll('+', '-').replaceAll('/', '_'),
  ]);
}

/**
 * As addresses and as forms have it, and as addresses within addresses do. Half of a surrogate pair has no such form,
 * so it is replaced on the way through UTF-8.
 */
function percentEncoded(text: string): string[] {
  const encoded = encodeURIComponent(Buffer.from(text).toString());
  return [encoded, encoded.replaceAll('%20', '+')].map((form) => escapePattern(form).replaceAll('%', '%(?:25){0,5}'));
}
