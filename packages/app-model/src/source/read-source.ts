import { type Document, isAlias, isMap, isSeq, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import type { Json } from '@weft/service-kit/json-values';
import { MAX_APP_BYTES, MAX_DEPTH, MAX_VALUES, type Step } from './paths';

export { MAX_APP_BYTES, MAX_DEPTH, type Step } from './paths';

/** A problem at a place of a file. */
export interface SourceProblem {
  readonly path: readonly Step[];
  readonly message: string;
  /** Number of lines between the key of the value and the problem. Default: 0. */
  readonly below?: number;
}

/** A YAML file as JSON, with the positions of its values. */
export interface AppSource {
  readonly value: Json;
  /** The line of the value at a path, from 1; of the nearest value above where the path leads to nothing. */
  lineOf(path: readonly Step[]): number;
}

/** Reads a YAML document that is JSON: one document, without tags, with string keys, with references resolved. */
export function readSource(text: string): AppSource | { readonly line: number; readonly message: string } {
  if (Buffer.byteLength(text) > MAX_APP_BYTES)
    return { line: 1, message: `The file has more than ${MAX_APP_BYTES / 1024} KB.` };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, schema: 'core', stringKeys: true });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) return { line: lines.linePos(error.pos[0]).line, message: firstLine(error.message) };
  const read = new Reading(document, lines);
  const value = read.value(document.contents, 0);
  if (read.problem !== undefined) return read.problem;
  return { value, lineOf: (path) => lineAt(document, lines, path) };
}

const firstLine = (text: string): string => text.split('\n')[0] ?? text;

class Reading {
  problem: { readonly line: number; readonly message: string } | undefined;
  #values = 0;

  constructor(
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
  ) {}

  value(node: unknown, depth: number): Json {
    if (this.problem !== undefined) return null;
    this.#values += 1;
    if (depth > MAX_DEPTH) return this.#refuse(node, `The file is nested deeper than ${MAX_DEPTH} levels.`);
    if (this.#values > MAX_VALUES) return this.#refuse(node, `The file has more than ${MAX_VALUES} values.`);
    if (isAlias(node)) return this.value(node.resolve(this.document), depth);
    if (isScalar(node)) return this.#scalar(node);
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1));
    if (!isMap(node)) return null;
    const fields: [string, Json][] = [];
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (name === '__proto__') return this.#refuse(key, 'A field cannot be called __proto__.');
      fields.push([name, this.value(value, depth + 1)]);
    }
    return Object.fromEntries(fields);
  }

  #scalar(node: { readonly value: unknown }): Json {
    const { value } = node;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    return this.#refuse(node, 'The value is not JSON.');
  }

  #refuse(node: unknown, message: string): null {
    this.problem ??= { line: lineOfNode(this.lines, node) ?? 1, message };
    return null;
  }
}

function lineOfNode(lines: LineCounter, node: unknown): number | undefined {
  const range = isNodeWithRange(node) ? node.range : undefined;
  return range === undefined || range === null ? undefined : lines.linePos(range[0]).line;
}

function isNodeWithRange(node: unknown): node is Node {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
}

function lineAt(document: Document.Parsed, lines: LineCounter, path: readonly Step[]): number {
  let node: unknown = document.contents;
  let line = lineOfNode(lines, node) ?? 1;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      line = lineOfNode(lines, pair?.key) ?? line;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      line = lineOfNode(lines, node) ?? line;
    } else break;
  }
  return line;
}
