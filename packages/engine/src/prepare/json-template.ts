import {
  type CompiledParameter,
  compileParameter,
  evaluate,
  type ExpressionScope,
  splitTemplate,
  toJson,
  withPairsRead,
} from '@weft/expressions';

/** Text that is to be JSON, with `{{ }}` in it: what those give is put in as JSON where it is an object or a list. */
export class JsonTemplate {
  readonly #parts: readonly (string | CompiledParameter)[];

  private constructor(parts: readonly (string | CompiledParameter)[]) {
    this.#parts = parts;
  }

  /**
   * Undefined for a string that is not such a template: without `{{ }}`, or with one and nothing around it. Never
   * throws.
   */
  static of(text: string): JsonTemplate | undefined {
    if (!text.startsWith('=') || !text.includes('{{')) return undefined;
    try {
      const parts = withPairsRead(splitTemplate(text, 1));
      if (parts.length < 2) return undefined;
      return new JsonTemplate(
        parts.map((part) => (part.kind === 'text' ? part.text : compileParameter(`={{${part.source}}}`))),
      );
    } catch {
      // The ordinary way of evaluating the text says what is wrong with it.
      return undefined;
    }
  }

  /** The text for one item. Texts go in as they are, nothing as null. @throws ExpressionError */
  evaluate(scope: ExpressionScope): string {
    return this.#parts
      .map((part) => {
        if (typeof part === 'string') return part;
        const json = toJson(evaluate(part, scope)) ?? null;
        return typeof json === 'string' ? json : JSON.stringify(json);
      })
      .join('');
  }
}
