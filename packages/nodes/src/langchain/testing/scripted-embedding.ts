import type { NodeExecutor } from '@weft/engine';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A vector of the numbers of letters: strings with the same letters are close. */
export function letterVector(text: string): Float32Array {
  const vector = new Float32Array(LETTERS.length);
  for (const letter of text.toLowerCase()) {
    const at = LETTERS.indexOf(letter);
    if (at >= 0) vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

/** A sub-node that makes vectors of letters. Records each call. */
export const scriptedEmbedding: Omit<NodeExecutor, 'kind'> = {
  actsOutside: false,
  run: () => ({ kind: 'items', outputs: [] }),
  supplies: {
    ai_embedding: (context) => ({
      name: 'letters',
      embed: (texts) =>
        context.record({ documents: [...texts] }, () =>
          Promise.resolve({ result: texts.map(letterVector), output: { response: { vectors: texts.length } } }),
        ),
    }),
  },
};
