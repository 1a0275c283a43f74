import { isJsonObject, type Json } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { EVALUATED, type Fault } from './faults';
import { storeFiles } from './keeps-promise';
import { type KindResult, type KindRun, runKind } from './run-kind';

/** Names of failures with messages for the workflow's owner; all others come from the runtime. */
const CLEAR_NAMES = ['NodeOperationError', 'NodeApiError', 'ExpressionError'];
/** Typical messages of the runtime and libraries. */
const RUNTIME_WORDS = new RegExp(
  [
    ...[String.raw`\bundefined\b`, String.raw`\[object `, 'is not a function', 'not iterable', 'is not defined'],
    ...['Cannot (read|set|convert|destructure|create|define|access)', 'call stack', 'not a constructor', 'circular'],
    ...['Invalid (array|string) length', 'Unexpected token', 'ERR_', 'must be of type', String.raw`\bat \w+ \(`],
  ].join('|'),
  'i',
);
/** Kinds whose errors contain messages from the workflow or its code. */
const THEIR_WORDS = ['aiTransform', 'code', 'function', 'functionItem', 'stopAndError'];

/** A fault with an unacceptable outcome. */
export interface Complaint {
  readonly fault: string;
  readonly error: string;
}

/**
 * Runs a case with each of its faults, using these ports. Each must end with items or with a failure in the node's
 * words, evaluate nothing that came with an item, and leave the prototypes alone.
 * @returns the problems found; empty if there are none
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
    // A node that continues puts its failure into an item; every second run does.
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

/** The failure in an item. */
function failureIn(json: Json): readonly Failure[] {
  if (!isJsonObject(json) || Object.keys(json).length > 1 || typeof json['error'] !== 'string') return [];
  return [{ name: 'NodeOperationError', message: json['error'] }];
}

/** The problem with a failure; undefined if its owner can understand it. */
function unclear(kind: string, { name, message }: Failure): string | undefined {
  if (message.trim() === '') return 'an error without a message';
  if (THEIR_WORDS.includes(kind)) return undefined;
  // User input is repeated in quotes.
  const own = message.replaceAll(/"[^"]*"|'[^']*'/g, '');
  const isClear = CLEAR_NAMES.includes(name) && !RUNTIME_WORDS.test(own);
  return isClear ? undefined : `${name}: ${message}`;
}
