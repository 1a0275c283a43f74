import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import { valueAt } from '../source/paths';

/** References that lead from one to the next. */
const MAX_HOPS = 50;

/** Schemas that are read for one draft. Alternatives within alternatives could be any number. */
const MAX_SCHEMAS = 500_000;

/** Follows the references (`$ref`) of a document. */
export class References {
  /** References that lead to another file or to nothing. */
  readonly unresolved = new Set<string>();

  #schemas = 0;

  constructor(private readonly root: JsonObject) {}

  /**
   * The object, or the one that its references lead to, with the description that stands next to them; undefined for
   * anything else, for a cycle, and for a reference to another file.
   */
  resolve(value: Json | undefined): JsonObject | undefined {
    let current = value;
    let description: Json | undefined;
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      if (!isJsonObject(current)) return undefined;
      const reference = Object.hasOwn(current, '$ref') ? current['$ref'] : undefined;
      if (typeof reference !== 'string') return description === undefined ? current : { ...current, description };
      description ??= current['description'];
      current = this.#target(reference);
      if (current === undefined) this.unresolved.add(reference);
    }
    return undefined;
  }

  /** Counts a schema that is read. @returns false if there were too many */
  countSchema(): boolean {
    this.#schemas += 1;
    return this.#schemas <= MAX_SCHEMAS;
  }

  #target(reference: string): Json | undefined {
    if (!reference.startsWith('#/')) return undefined;
    const names = reference.slice(2).split('/');
    return valueAt(
      this.root,
      names.map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')),
    );
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
