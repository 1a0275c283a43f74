import type { FoundDocument } from '@weft/engine';
import type { StoredDocument } from './stored-vectors';

/** Collects the documents with the most similar vectors, by the cosine of the angle between them. */
export class ClosestDocuments {
  readonly #found: FoundDocument[] = [];
  readonly #norm: number;
  #otherLength: number | undefined;

  /** @param limit documents that are wanted, at least 1 */
  constructor(
    private readonly query: Float32Array,
    private readonly limit: number,
  ) {
    this.#norm = Math.sqrt(dot(query, query));
  }

  /** The closest so far, the closest first. */
  get found(): readonly FoundDocument[] {
    return this.#found;
  }

  /** Length of stored vectors if it differs from that of the query; undefined if all are as long as the query. */
  get otherLength(): number | undefined {
    return this.#otherLength;
  }

  add({ pageContent, metadata, vector }: StoredDocument): void {
    if (vector.length !== this.query.length) {
      this.#otherLength = vector.length;
      return;
    }
    const norm = Math.sqrt(dot(vector, vector)) * this.#norm;
    const score = norm === 0 ? 0 : dot(this.query, vector) / norm;
    const last = this.#found.at(-1);
    if (!Number.isFinite(score)) return;
    if (this.#found.length >= this.limit && last !== undefined && score <= last.score) return;
    const at = this.#found.findIndex((one) => score > one.score);
    this.#found.splice(at < 0 ? this.#found.length : at, 0, { pageContent, metadata, score });
    if (this.#found.length > this.limit) this.#found.pop();
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
