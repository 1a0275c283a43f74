import { type Json, type JsonObject, listField, objectField, textField } from '@weft/service-kit/json-values';
import type { EmbeddingFormat } from '../embeddings/embedding-model';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Vectors of the stand-in: the numbers of the letters a to z, so that strings with the same letters are close. */
export const lettersOf = (texts: readonly string[]): Json =>
  texts.map((text) => [...LETTERS].map((letter) => text.toLowerCase().split(letter).length - 1));

/** Texts that a request wants vectors for. */
export interface EmbeddingTexts {
  readonly format: EmbeddingFormat;
  readonly texts: readonly string[];
}

/** The strings of a request for vectors; undefined for any other request. */
export function embeddingTexts(path: string, body: JsonObject): EmbeddingTexts | undefined {
  const [name = ''] = path.split('?');
  const strings = (field: string): string[] => listField(body, field).map(String);
  if (name.endsWith('/embeddings')) return { format: 'openai', texts: strings('input') };
  if (name.endsWith('/api/embed')) return { format: 'ollama', texts: strings('input') };
  if (name.endsWith('/v1/embed')) return { format: 'cohere', texts: strings('texts') };
  if (!name.endsWith(':batchEmbedContents')) return undefined;
  const texts = listField(body, 'requests').map((request) => {
    const [part] = listField(objectField(request, 'content'), 'parts');
    return textField(part, 'text') ?? '';
  });
  return { format: 'gemini', texts };
}

/** The response with vectors. @param vectors a list with a list of numbers for each text, or what a test wants */
export function embeddingAnswer({ format, texts }: EmbeddingTexts, vectors: Json): JsonObject {
  const all = Array.isArray(vectors) ? vectors : [];
  const tokens = texts.length * 2;
  switch (format) {
    case 'openai':
    case 'azure':
      return {
        object: 'list',
        data: all.map((embedding, index) => ({ object: 'embedding', index, embedding })).toReversed(),
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      };
    case 'gemini':
      return { embeddings: all.map((values) => ({ values })) };
    case 'ollama':
      return { embeddings: all, prompt_eval_count: tokens };
    case 'cohere':
      return { embeddings: all, meta: { billed_units: { input_tokens: tokens } } };
  }
}
