import type { Json } from '@weft/node-catalogue';
import { EMPTY_INPUT } from '../code/code-data';
import type { CodeInput } from '../code/code-data';
import type { CodeAnswer, CodeRunner, CodeStop } from '../code/code-runner';

/** Outcome of a script. */
export interface ScriptResult {
  /** Return value of the script, as JSON. */
  readonly value?: Json;
  readonly error?: { readonly name: string; readonly message: string; readonly line?: number };
  readonly stopped?: CodeStop;
  readonly console: readonly string[];
}

/** Input of a run with one empty item, in a test workflow. */
export function emptyInput(over: Partial<CodeInput> = {}): CodeInput {
  return {
    ...EMPTY_INPUT,
    node: { id: 'n1', name: 'Code', version: 2, parameters: {} },
    timezone: 'America/New_York',
    workflow: { id: 'w1', name: 'Test', active: true },
    execution: { id: 'e1', mode: 'test' },
    ...over,
  };
}

/** Runs the body of a function in a sandbox. */
export async function runScript(
  runner: CodeRunner,
  body: string,
  over: Partial<CodeInput> = {},
): Promise<ScriptResult> {
  return resultOf(
    await runner.run({
      code: `(async function () {${body}\n})`,
      input: JSON.stringify(emptyInput(over)),
      signal: new AbortController().signal,
    }),
  );
}

/** Runs Python in a sandbox. */
export async function runPython(
  runner: CodeRunner,
  code: string,
  over: Partial<CodeInput> = {},
): Promise<ScriptResult> {
  return resultOf(
    await runner.run({
      code,
      language: 'python',
      input: JSON.stringify(emptyInput({ style: 'python', ...over })),
      signal: new AbortController().signal,
    }),
  );
}

function resultOf(answer: CodeAnswer): ScriptResult {
  const { console } = answer;
  if (answer.kind === 'stopped') return { stopped: answer.reason, console };
  const report: { value?: { value?: Json }; error?: NonNullable<ScriptResult['error']> } = JSON.parse(
    Buffer.from(answer.report).toString(),
  );
  return {
    console,
    ...(report.error === undefined ? {} : { error: report.error }),
    ...(report.value?.value === undefined ? {} : { value: report.value.value }),
  };
}
