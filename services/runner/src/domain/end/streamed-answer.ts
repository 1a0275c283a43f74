import type { Json } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { HttpResponse, Item } from '@weft/engine';

/** Type of a response of lines of JSON, for callers that receive them as the run writes them. */
export const LINES_TYPE = 'application/x-ndjson; charset=utf-8';

/** The node run whose items are the response. */
export interface AnsweringRun {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly runIndex: number;
}

/** Bounds of a response; what a caller was sent before counts no more. */
const MAX_ITEMS = 100;
const MAX_CHARACTERS = 1_000_000;

const TEXT_FIELDS = ['output', 'text', 'response'];

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The text of an item: the field that agents and chains give, or all of it. */
const contentOf = ({ json }: Item): string => {
  const name = TEXT_FIELDS.find((field) => json[field] !== undefined);
  const value = name === undefined ? json : (json[name] ?? null);
  // Chains put their answer into an object in `response`.
  const inner = name === 'response' && isJsonObject(value) ? (value['text'] ?? value) : value;
  return textOf(inner);
};

const answerOfLines = (lines: readonly object[]): HttpResponse => ({
  status: 200,
  headers: { 'content-type': LINES_TYPE },
  body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
});

/** The text of all items, in the form in which they are streamed: a reader completes with them what it has missed. */
export const linesOfItems = (items: readonly Item[], run: AnsweringRun, now: number): HttpResponse => {
  const lines: object[] = [];
  let left = MAX_CHARACTERS;
  for (const [itemIndex, item] of items.slice(0, MAX_ITEMS).entries()) {
    const { nodeId, nodeName, runIndex } = run;
    const metadata = { nodeId, nodeName, itemIndex, runIndex, timestamp: now };
    const content = contentOf(item).slice(0, left);
    left -= content.length;
    lines.push({ type: 'begin', metadata }, { type: 'item', content, metadata }, { type: 'end', metadata });
    if (left <= 0) break;
  }
  return answerOfLines(lines);
};

/** The end of the stream of a failed run, without details that its caller may not be permitted to see. */
export const linesOfFailure = ({ nodeId, nodeName, runIndex }: AnsweringRun): HttpResponse =>
  answerOfLines([
    { type: 'error', content: 'Error in workflow', metadata: { nodeId, nodeName, runIndex, itemIndex: 0 } },
  ]);
