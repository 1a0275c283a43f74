import { define } from '../define';
import { askHost } from '../host';

const WRITABLE = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];

/** Name and value pairs of a query. */
export class QueryParameters {
  #pairs: [string, string][];
  readonly #changed: (text: string) => void;

  constructor(init: unknown = '', changed: (text: string) => void = () => undefined) {
    this.#pairs = pairsOf(init);
    this.#changed = changed;
  }

  get size(): number {
    return this.#pairs.length;
  }
  get(name: string): string | null {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
  }
  getAll(name: string): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
  }
  has(name: string): boolean {
    return this.#pairs.some(([key]) => key === String(name));
  }
  append(name: unknown, value: unknown): void {
    this.#replace([...this.#pairs, [String(name), String(value)]]);
  }
  delete(name: string): void {
    this.#replace(this.#pairs.filter(([key]) => key !== String(name)));
  }
  sort(): void {
    this.#replace([...this.#pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }
  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this.#pairs) visit(value, name);
  }
  keys(): string[] {
    return this.#pairs.map(([name]) => name);
  }
  values(): string[] {
    return this.#pairs.map(([, value]) => value);
  }
  entries(): [string, string][] {
    return this.#pairs.map(([name, value]) => [name, value]);
  }
  [Symbol.iterator](): Iterator<[string, string]> {
    return this.entries()[Symbol.iterator]();
  }

  set(name: unknown, value: unknown): void {
    const at = this.#pairs.findIndex(([key]) => key === String(name));
    if (at < 0) return this.append(name, value);
    const others = this.#pairs.filter(([key], index) => index === at || key !== String(name));
    this.#replace(others.map(([key, old]) => [key, key === String(name) ? String(value) : old]));
  }

  toString(): string {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  }

  #replace(pairs: [string, string][]): void {
    this.#pairs = pairs;
    this.#changed(this.toString());
  }
}

/** A URL, parsed by the process around the realm. */
export class CodeUrl {
  #parts: Record<string, string>;
  #query: QueryParameters;

  constructor(url: unknown, base?: unknown) {
    this.#parts = askForParts({ url: String(url), ...(base === undefined ? {} : { base: String(base) }) });
    this.#query = this.#freshQuery();
  }

  static {
    for (const part of [...WRITABLE, 'origin']) {
      Object.defineProperty(CodeUrl.prototype, part, {
        configurable: true,
        get(this: CodeUrl) {
          return this.#parts[part];
        },
        set(this: CodeUrl, value: unknown) {
          if (part !== 'origin') this.#set(part, String(value));
        },
      });
    }
    define(CodeUrl, 'canParse', (url: unknown, base?: unknown) => {
      try {
        return new CodeUrl(url, base) !== undefined;
      } catch {
        return false;
      }
    });
  }

  get searchParams(): QueryParameters {
    return this.#query;
  }
  toString(): string {
    return this.#parts['href'] ?? '';
  }
  toJSON(): string {
    return this.toString();
  }

  #set(part: string, value: string): void {
    this.#parts = askForParts({ url: this.toString(), set: { [part]: value } });
    this.#query = this.#freshQuery();
  }

  #freshQuery(): QueryParameters {
    return new QueryParameters(this.#parts['search'], (text) => {
      this.#parts = askForParts({ url: this.toString(), set: { search: text } });
    });
  }
}

function askForParts(question: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(askHost('parseUrl', question))).map(([name, value]) => [name, String(value)]),
  );
}

function pairsOf(init: unknown): [string, string][] {
  if (typeof init === 'string') {
    const text = init.startsWith('?') ? init.slice(1) : init;
    return text === ''
      ? []
      : text.split('&').map((pair) => {
          const [name = '', ...value] = pair.split('=');
          return [decode(name), decode(value.join('='))];
        });
  }
  if (typeof init !== 'object' || init === null) return [];
  const entries: unknown[] = Symbol.iterator in init ? Array.from(Object(init)) : Object.entries(init);
  return entries.map((pair) => {
    const [name, value] = Array.isArray(pair) ? pair : [];
    return [String(name), String(value)];
  });
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/%20/g, '+')
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
