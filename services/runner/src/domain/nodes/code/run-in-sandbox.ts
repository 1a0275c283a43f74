import type { NodeContext } from '../../engine/node';
import { NodeFailure } from '../../engine/node-failure';
import type { CodeStop } from '../../ports/code-runner';
import type { CallForm } from './build-input';
import { buildInput } from './build-input';
import type { CodeReport } from './code-data';
import type { InputFiles } from './input-files';
import { writeKept } from './kept-state';
import { readReport } from './read-report';
import { readSource } from './read-source';

/** Characters of one node's code. */
const CODE_MAX = 500_000;

/** What a person reads when code was ended. */
const STOPS: Readonly<Record<CodeStop, readonly [message: string, description: string]>> = {
  time: ['The code took longer than it may', 'Let it do less at once. To wait, use a Wait node.'],
  memory: ['The code needs more memory than it may use', 'Let it handle fewer items at once, for example in batches with Loop Over Items.'],
  stack: ['The code calls functions within functions too deeply', 'Write the recursion as a loop, or give it an end.'],
  result: ['The code gives back more data than it may', 'Let it give back fewer items or fields.'],
  input: ['The items are too large for code', 'Let a node before this one keep fewer items or fields.'],
  never: ['The code waits for something that never happens', 'Look for a promise that nothing resolves.'],
  engine: ['The code brought its engine to an end', 'Look for the part that uses most memory or the deepest nesting.'],
  crash: ['The process that ran the code came to an end', 'Run it again. If it happens again, look for the part that uses most memory.'],
  busy: ['No sandbox became free to run the code', 'Run it again later, or allow more of them with RUNNER_SANDBOXES.'],
  start: ['No sandbox could be started to run the code', 'Look into the log of the runner.'],
  closed: ['The runner is stopping', 'The node runs again on another runner.'],
  aborted: ['The run was stopped', ''],
};

/**
 * Runs code in the sandbox, keeps its console output with the node run, and what it changed in static data.
 * @throws NodeFailure if it was ended, or cannot be run
 */
export async function runInSandbox(context: NodeContext, code: string, form: CallForm, files: InputFiles): Promise<CodeReport> {
  if (code.length > CODE_MAX) throw new NodeFailure(`The code is longer than ${CODE_MAX} characters`);
  const source = readSource(code);
  const input = await buildInput(context, form, source, files);
  const answer = await context.ports.code.run({ code: source.text, input, signal: context.signal });
  context.log(answer.console);
  if (answer.kind === 'stopped') {
    const [message, description] = STOPS[answer.reason];
    throw new NodeFailure(message, { description });
  }
  const report = readReport(answer.report);
  writeKept(context, report);
  return report;
}
