import { isJsonObject, type Json } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { EVALUATED, type Fault } from './faults';
import { storeFiles } from './keeps-promise';
import { type KindResult, type KindRun, runKind } from './run-kind';

/** Names of failures in words for the owner of the workflow; all others are the runtime's. */
const CLEAR_NAMES = ['NodeOperationError', 'NodeApiError', 'ExpressionError'];
/** What the runtime and libraries say about themselves. */
const RUNTIME_WORDS = new RegExp(
  [
    ...[String.raw`\bundefined\b`, String.raw`\[object `, 'is not a function', 'not iterable', 'is not defined'],
    ...['Cannot (read|set|convert|destructure|create|define|access)', 'call stack', 'not a constructor', 'circular'],
    ...['Invalid (array|string) length', 'Unexpected token', 'ERR_', 'must be of type', String.raw`\bat \w+ \(`],
  ].join('|'),
  'i',
);
/** Kinds whose errors are in the words of whoever made the workflow, or of the code in it. */
const THEIR_WORDS = ['aiTransform', 'code', 'function', 'functionItem', 'stopAndError'];

/** What a fault did that it must not do. */
export interface Complaint {
  readonly fault: string;
  readonly error: string;
}

/**
 * Runs a case with each of its faults, and with these ports. Each must end with items or with a failure in words of the
 * node, evaluate nothing that came with an item, and leave the prototypes alone.
 * @returns what went wrong; empty if nothing did
 */
export async function withstands(
  kind: string,
  version: number,
  faults: readonly Fault[],
  ports: Partial<KindRun>,
): Promise<readonly Complaint[]> {
  const complaints: Complaint[] = [];
  for (const [index, fault] of faults.entries()) {
    const files = memoryFiles();
    const binary = fault.withFiles === undefined ? {} : { binary: await storeFiles(files, fault.withFiles) };
    // a node that continues puts its failure into an item: every other one does
    const onError = index % 2 === 0 ? 'stopWorkflow' : 'continueRegularOutput';
    const node = { ...ports.node, ...fault.run.node, onError };
    const error = await runKind(kind, { files, ...binary, ...ports, ...fault.run, node, version }).then(
      (result) => complaintOf(kind, result),
      (thrown: unknown) => `the engine threw: ${String(thrown)}`,
    );
    if (error !== undefined) complaints.push({ fault: fault.name, error: error.slice(0, 300) });
  }
  return complaints;
}

function complaintOf(kind: string, { error, outputs, answers }: KindResult): string | undefined {
  if (Object.hasOwn(Object.prototype, 'polluted')) return 'a prototype was changed';
  if (JSON.stringify([outputs, answers, error]).includes(EVALUATED)) return 'text of an item was evaluated';
  const failures = [...(error === undefined ? [] : [error]), ...outputs.flat().flatMap(failureIn)];
  return failures.map((failure) => unclear(kind, failure)).find((found) => found !== undefined);
}

interface Failure {
  readonly name: string;
  readonly message: string;
}

/** The failure that an item stands for. */
function failureIn(json: Json): readonly Failure[] {
  if (!isJsonObject(json) || Object.keys(json).length > 1 || typeof json['error'] !== 'string') return [];
  return [{ name: 'NodeOperationError', message: json['error'] }];
}

/** What is wrong with a failure; undefined if its owner can understand it. */
function unclear(kind: string, { name, message }: Failure): string | undefined {
  if (message.trim() === '') return 'an error without a message';
  if (THEIR_WORDS.includes(kind)) return undefined;
  // what the user gave is repeated in quotes
  const own = message.replaceAll(/"[^"]*"|'[^']*'/g, '');
  const isClear = CLEAR_NAMES.includes(name) && !RUNTIME_WORDS.test(own);
  return isClear ? undefined : `${name}: ${message}`;
}
