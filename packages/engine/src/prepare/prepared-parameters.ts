import type { Json, JsonObject, KindDescriptor } from '@weft/node-catalogue/definitions';
import { defaultAt, isJsonObject, parameterOrDefault, parametersWithDefaults } from '@weft/node-catalogue/definitions';
import { type CompiledParameter, compileParameter, evaluate, type ExpressionScope } from '@weft/expressions';
import { JsonTemplate } from './json-template';
import { TextTemplate } from './text-template';

/** A path into the parameters: the part that is compiled as one, and the steps left to take in its value. */
interface PreparedPath {
  readonly compiled: CompiledParameter | undefined;
  readonly rest: readonly string[];
}

/**
 * The parameters of one node, each compiled once, when it is first asked for. Serves all runs of a version at the same
 * time.
 */
export class PreparedParameters {
  readonly #raw: JsonObject;
  readonly #descriptor: KindDescriptor | undefined;
  readonly #version: number;
  #withDefaults: JsonObject | undefined;
  readonly #paths = new Map<string, PreparedPath>();
  readonly #defaults = new Map<string, Json | undefined>();
  readonly #templates = new Map<string, TextTemplate | CompiledParameter>();
  readonly #jsonTemplates = new Map<string, JsonTemplate | undefined>();

  constructor(raw: JsonObject, descriptor: KindDescriptor | undefined, version: number) {
    this.#raw = raw;
    this.#descriptor = descriptor;
    this.#version = version;
  }

  /**
   * The value under `path` for the item that `scope` returns. The scope is only made if the value depends on it.
   * @throws ExpressionError if an expression in it fails.
   */
  value(path: string, scope: () => ExpressionScope): unknown {
    const { compiled, rest } = this.#prepared(path);
    if (compiled === undefined) return undefined;
    const value = compiled.root.kind === 'constant' ? compiled.root.value : evaluate(compiled, scope());
    return rest.length === 0 ? value : descend(value, rest);
  }

  /**
   * All parameters as stored, with defaults for those that are not set. Expressions stay unresolved.
   */
  all(): JsonObject {
    this.#withDefaults ??=
      this.#descriptor === undefined ? this.#raw : parametersWithDefaults(this.#raw, this.#descriptor, this.#version);
    return this.#withDefaults;
  }

  /** The value under `path`; see `NodeContext.jsonParameter`. */
  jsonText(path: string, scope: () => ExpressionScope): unknown {
    if (!this.#jsonTemplates.has(path)) {
      const raw = this.raw(path);
      this.#jsonTemplates.set(path, typeof raw === 'string' ? JsonTemplate.of(raw) : undefined);
    }
    return this.#jsonTemplates.get(path)?.evaluate(scope()) ?? this.value(path, scope);
  }

  /** The text under `path` with its `{{ }}` resolved; see `NodeContext.templateParameter`. */
  template(path: string, scope: () => ExpressionScope): unknown {
    let template = this.#templates.get(path);
    if (template === undefined) {
      const raw = this.raw(path) ?? '';
      const text = typeof raw === 'string' && !raw.startsWith('=') ? `=${raw}` : raw;
      const pieces = typeof text === 'string' ? TextTemplate.of(text.slice(1)) : undefined;
      template = pieces ?? compileParameter(text);
      this.#templates.set(path, template);
    }
    if (template instanceof TextTemplate) return template.evaluate(scope());
    return template.root.kind === 'constant' ? template.root.value : evaluate(template, scope());
  }

  /** True if the value under `path` is the same for every item. */
  isConstant(path: string): boolean {
    return this.#prepared(path).compiled?.isConstant ?? true;
  }

  /** The stored value at `path`, or the default of the catalogue. */
  raw(path: string): Json | undefined {
    const [top = '', ...steps] = path.split('.');
    let value = this.#top(top);
    for (const step of steps) value = own(value, step);
    return value;
  }

  /** The default of the kind for `path`; see `NodeContext.defaultOf`. */
  defaultOf(path: string): Json | undefined {
    if (this.#descriptor === undefined) return undefined;
    if (!this.#defaults.has(path))
      this.#defaults.set(path, defaultAt(this.#raw, this.#descriptor, this.#version, path));
    return this.#defaults.get(path);
  }

  #prepared(path: string): PreparedPath {
    const known = this.#paths.get(path);
    if (known !== undefined) return known;
    const prepared = this.#prepare(path);
    this.#paths.set(path, prepared);
    return prepared;
  }

  #prepare(path: string): PreparedPath {
    const [top = '', ...steps] = path.split('.');
    let value = this.#top(top);
    let taken = 0;
    for (const step of steps) {
      // An expression in the middle of the path gives the object that the rest leads into.
      if (typeof value === 'string') break;
      value = own(value, step);
      taken += 1;
    }
    return { compiled: value === undefined ? undefined : compileParameter(value), rest: steps.slice(taken) };
  }

  #top(name: string): Json | undefined {
    if (this.#descriptor !== undefined) return parameterOrDefault(this.#raw, this.#descriptor, this.#version, name);
    return own(this.#raw, name);
  }
}

function own(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function descend(value: unknown, steps: readonly string[]): unknown {
  let current: unknown = value;
  for (const step of steps) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    const entry: unknown = Object.getOwnPropertyDescriptor(current, step)?.value;
    current = entry;
  }
  return current;
}
