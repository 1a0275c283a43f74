import type { Json, JsonObject } from '@weft/node-catalogue';
import type { Item, Outputs } from '../items';
import type { ExecutionError } from '../run-record';
import { secretsIn } from './credential-secrets';

/** Replacement of a secret. */
const MASK = '***';
const MIN_LENGTH = 8;
/** Secrets that one node run can have: those of its credentials, and tokens that were had with them. */
const MAX_SECRETS = 64;

/** The secrets that one node run was given; hides them in its output. */
export class SecretMask {
  readonly #secrets = new Set<string>();
  #pattern: RegExp | undefined;

  /** Drops all secrets. */
  clear(): void {
    this.#secrets.clear();
    this.#pattern = undefined;
  }

  /** Learns the secrets in the data of a credential. */
  learn(data: JsonObject): void {
    for (const secret of secretsIn(data)) this.add(secret);
  }

  /** Learns one secret. Texts of less than 8 characters are left alone. */
  add(secret: string): void {
    if (secret.length < MIN_LENGTH || this.#secrets.size >= MAX_SECRETS) return;
    this.#secrets.add(secret);
    this.#pattern = undefined;
  }

  /** The text without secrets. */
  text(text: string): string {
    if (this.#secrets.size === 0 || text.length < MIN_LENGTH) return text;
    this.#pattern ??= patternOf([...this.#secrets]);
    return text.replace(this.#pattern, MASK);
  }

  /** The items without secrets in their JSON. Items that hold none are the same objects. Files are not looked into. */
  outputs(outputs: Outputs): Outputs {
    return this.#secrets.size === 0 ? outputs : outputs.map((items) => items.map((item) => this.#item(item)));
  }

  /** The error without secrets in its texts. */
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
    if (json === item.json && error === undefined) return item;
    return { ...item, json, ...(error === undefined ? {} : { error }) };
  }

  #object(object: JsonObject): JsonObject {
    let changed: JsonObject | undefined;
    for (const [name, value] of Object.entries(object)) {
      const masked = this.#json(value);
      if (masked !== value)
        Object.defineProperty((changed ??= { ...object }), name, {
          value: masked,
          writable: true,
          enumerable: true,
          configurable: true,
        });
    }
    return changed ?? object;
  }

  #json(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value)) return this.#object(value);
    const masked = value.map((entry) => this.#json(entry));
    return masked.some((entry, index) => entry !== value[index]) ? masked : value;
  }
}

/**
 * Every form of every secret, the longest first: one may be a part of another. One pass over a string finds all of
 * them.
 */
function patternOf(secrets: readonly string[]): RegExp {
  const forms = new Set(
    secrets.flatMap((secret) => [
      secret,
      ...percentEncoded(secret),
      Buffer.from(secret).toString('base64'),
      JSON.stringify(secret).slice(1, -1),
    ]),
  );
  const literals = [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(literals.join('|'), 'g');
}

/**
 * As addresses and as forms have it. Half of a surrogate pair has no such form, so it is replaced on the way through
 * UTF-8.
 */
function percentEncoded(text: string): string[] {
  const encoded = encodeURIComponent(Buffer.from(text).toString());
  return [encoded, encoded.replaceAll('%20', '+')];
}
