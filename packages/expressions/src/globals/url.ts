import { LIMITS } from '../limits';
import { toText } from '../runtime/convert';
import { NativeConstructor, NativeFunction } from '../runtime/values/function-value';
import type { Arguments, NativeBody } from '../runtime/values/function-value';
import { isPlainObject } from '../runtime/kinds';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';
import { VirtualObject } from '../runtime/values/virtual-object';

const URL_FIELDS = [
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
const MAX_LENGTH = LIMITS.textLength >> 4;

/** A parsed address: its parts can be read. */
class UrlValue extends VirtualObject {
  constructor(private readonly url: URL) {
    super();
  }

  override get(_run: Run, key: string): unknown {
    const field = URL_FIELDS.find((name) => name === key);
    if (field !== undefined) return this.url[field];
    if (key === 'searchParams') return new QueryValue(this.url.searchParams);
    return key === 'toString' || key === 'toJSON' ? new NativeFunction(key, 0, () => this.url.href) : undefined;
  }

  override text(): string {
    return this.url.href;
  }

  override result(): string {
    return this.url.href;
  }

  override keys(): readonly string[] {
    return [];
  }
}

/** The parameters of a query string. */
class QueryValue extends VirtualObject {
  constructor(private readonly params: URLSearchParams) {
    super();
  }

  override get(_run: Run, key: string): unknown {
    const bodies: Readonly<Record<string, NativeBody>> = {
      append: (run, _self, args) => this.params.append(argument(run, args, 0), argument(run, args, 1)),
      delete: (run, _self, args) => this.params.delete(argument(run, args, 0)),
      entries: (run) => run.made([...this.params].map((pair) => run.made([...pair]))),
      get: (run, _self, args) => this.params.get(argument(run, args, 0)),
      getAll: (run, _self, args) => run.made(this.params.getAll(argument(run, args, 0))),
      has: (run, _self, args) => this.params.has(argument(run, args, 0)),
      set: (run, _self, args) => this.params.set(argument(run, args, 0), argument(run, args, 1)),
      toString: (run: Run) => {
        const text = this.params.toString();
        run.allowText(text.length);
        return text;
      },
    };
    const body = Object.hasOwn(bodies, key) ? bodies[key] : undefined;
    return body === undefined ? undefined : new NativeFunction(key, 1, body);
  }

  override text(): string {
    return this.params.toString();
  }

  override keys(): readonly string[] {
    return [];
  }
}

/** An argument as a string of bounded length, charged to the budget of strings. */
function argument(run: Run, args: Arguments, index: number): string {
  const text = toText(run, args[index]);
  run.allowText(text.length * 9);
  return text;
}

function parse(run: Run, [address, base]: Arguments): UrlValue {
  const text = toText(run, address);
  const origin = base === undefined ? undefined : toText(run, base);
  if (text.length > MAX_LENGTH || (origin !== undefined && origin.length > MAX_LENGTH) || !URL.canParse(text, origin))
    throw typeError('Invalid URL');
  return new UrlValue(new URL(text, origin));
}

function query(run: Run, [source]: Arguments): QueryValue {
  if (!isPlainObject(source)) {
    const text = source === undefined ? '' : toText(run, source);
    if (text.length > MAX_LENGTH) throw typeError('Invalid query');
    run.work(text.length);
    return new QueryValue(new URLSearchParams(text));
  }
  const pairs = Object.entries(source).map(([key, value]): [string, string] => [key, toText(run, value)]);
  run.allowEntries(pairs.length);
  run.allowText(pairs.reduce((length, [key, value]) => length + key.length + value.length, 0));
  return new QueryValue(new URLSearchParams(pairs));
}

/** `URL` and `URLSearchParams`, as far as expressions have them. */
export const urlConstructors: Readonly<Record<string, NativeConstructor>> = {
  URL: new NativeConstructor('URL', 1, { construct: parse, isInstance: (value) => value instanceof UrlValue }),
  URLSearchParams: new NativeConstructor('URLSearchParams', 0, {
    construct: query,
    isInstance: (value) => value instanceof QueryValue,
  }),
};
