import {
  type CompiledParameter,
  compileParameter,
  evaluate,
  type ExpressionScope,
  splitTemplate,
} from '@weft/expressions';

/** One `{{ }}`, compiled to give a part of the text and, on its own, a typed value. */
interface Hole {
  /** Compiled with a leading space, which makes it part of a text. */
  readonly asText: CompiledParameter;
  readonly alone: CompiledParameter;
}

/**
 * A template text with `{{ }}`. Unlike in a parameter, null, undefined and NaN appear in the text as those words.
 */
export class TextTemplate {
  readonly #parts: readonly (string | Hole)[];

  private constructor(parts: readonly (string | Hole)[]) {
    this.#parts = parts;
  }

  /**
   * Undefined for a text with `{{ }}` that cannot be read. Braces that are never closed stand for themselves. Never
   * throws.
   */
  static of(text: string): TextTemplate | undefined {
    const last = text.lastIndexOf('}}');
    if (last < 0) return new TextTemplate([text]);
    try {
      const parts = splitTemplate(text.slice(0, last + 2), 0).map((part) =>
        part.kind === 'text' ? part.text : holeOf(part.source),
      );
      return new TextTemplate([...parts, text.slice(last + 2)]);
    } catch {
      // The ordinary way of evaluating the text says what is wrong with it.
      return undefined;
    }
  }

  /** The text for one item. @throws ExpressionError */
  evaluate(scope: ExpressionScope): string {
    return this.#parts.map((part) => (typeof part === 'string' ? part : textOf(part, scope))).join('');
  }
}

function holeOf(source: string): Hole {
  return { asText: compileParameter(`= {{${source}}}`), alone: compileParameter(`={{${source}}}`) };
}

function textOf({ asText, alone }: Hole, scope: ExpressionScope): string {
  const text = String(evaluate(asText, scope)).slice(1);
  return text === '' ? String(evaluate(alone, scope)) : text;
}
