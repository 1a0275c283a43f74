import type { Json, JsonObject } from '@weft/service-kit/json-values';
import { DateTime } from 'luxon';
import { ExpressionError } from '../errors';
import { evaluate } from '../evaluate';
import { compileParameter } from '../parameter';
import type { ExpressionScope, ScopeItem } from '../scope';

/** Settings that a test may give for the run that its expressions see. */
export interface FixedScopeOptions {
  readonly items?: readonly JsonObject[];
  /** Items of the other nodes, by name. Items are linked by index. A node without items exists and has not run. */
  readonly nodes?: Readonly<Record<string, readonly JsonObject[] | undefined>>;
  readonly parameters?: JsonObject;
  readonly timezone?: string;
  readonly now?: string;
  readonly extra?: Readonly<Record<string, Json>>;
  readonly regexFallback?: ExpressionScope['regexFallback'];
}

/** A scope that is all data: for tests of the language, which is not to need an engine. */
export function fixedScope(options: FixedScopeOptions = {}): ExpressionScope {
  const inputItems = (options.items ?? [{}]).map((json): ScopeItem => ({ json }));
  const timezone = options.timezone ?? 'UTC';
  const outputs = options.nodes ?? {};
  const nodeOutput = (name: string): readonly ScopeItem[] => {
    const items = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
    if (items === undefined)
      throw new ExpressionError(`Node '${name}' hasn't been executed`, { type: 'no_execution_data', node: name });
    return items.map((json): ScopeItem => ({ json }));
  };
  const at = (itemIndex: number, runIndex: number): ExpressionScope => ({
    item: inputItems[itemIndex],
    itemIndex,
    runIndex,
    inputItems,
    nodeName: 'Current',
    nodeId: 'n1',
    nodeVersion: 3.4,
    mode: 'webhook',
    prevNode: { name: 'Before', outputIndex: 0, runIndex: 0 },
    workflow: { id: 'w1', name: 'Orders', active: true },
    execution: {
      id: 'e1',
      mode: 'test',
      resumeUrl: 'https://weft.example/resume/e1',
      customData: { order: '17' },
    },
    vars: { region: 'eu' },
    env: { STAGE: 'blue' },
    timezone,
    extra: options.extra,
    regexFallback: options.regexFallback,
    now: () => DateTime.fromISO(options.now ?? '2026-03-09T10:30:00.000Z', { zone: timezone }),
    hasNode: (name) => Object.hasOwn(outputs, name) || name === 'Current',
    isExecuted: (name) => Object.hasOwn(outputs, name) && outputs[name] !== undefined,
    nodeOutput,
    pairedItem: (name, index) => nodeOutput(name)[index],
    nodeParameters: (name) => (name === 'Current' ? (options.parameters ?? {}) : {}),
    nodeContext: () => ({ currentRunIndex: 4 }),
    executesOnce: () => false,
    atItem: (index, run = runIndex) => at(index, run),
  });
  return at(0, 0);
}

/** The value of one text for the first item. */
export function valueOf(text: string, options: FixedScopeOptions = {}): unknown {
  return evaluate(compileParameter(text), fixedScope(options));
}

/** The value of one expression body. */
export function bodyValue(body: string, options: FixedScopeOptions = {}): unknown {
  return valueOf(`={{ ${body} }}`, options);
}

/** The error that a string ends with. @throws Error if it ends with a value */
export function errorOf(text: string, options: FixedScopeOptions = {}): ExpressionError {
  let value: unknown;
  try {
    value = valueOf(text, options);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`Expected an error, got ${String(value)}`);
}
