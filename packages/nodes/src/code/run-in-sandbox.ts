import { type NodeContext, NodeFailure } from '@weft/engine';
import type { CodeLanguage, CodeReport } from '@weft/sandbox';
import type { CallForm } from './build-input';
import { buildInput } from './build-input';
import type { InputFiles } from './input-files';
import { writeMarks } from './kept-state';
import type { OpenStaticData } from './open-static-data';
import { namesStaticData, withStaticData } from './open-static-data';
import { readReport } from './read-report';
import { readPython } from './read-python';
import type { CodeSource } from './read-source';
import { readSource } from './read-source';
import { stopFailure } from './stop-failure';

/** Limit in characters of one node's code. */
const MAX_CODE = 500_000;

/**
 * Number of times that code runs again because another run changed its static data. After that its changes are applied
 * on top of the other run's.
 */
const MAX_RUNS = 20;

/** Size in bytes from which a report takes long to read. */
const LARGE_REPORT = 1024 * 1024;

/**
 * Runs code in the sandbox, and stores its console output in the node run and its changes of static data. If another
 * run changes the static data in the meantime, the code runs again with the new data, as it has no side effects.
 * @throws NodeFailure if it was terminated or cannot be run
 */
export async function runInSandbox(
  context: NodeContext,
  code: string,
  form: CallForm,
  files: InputFiles,
): Promise<CodeReport> {
  if (code.length > MAX_CODE) throw new NodeFailure(`The code is longer than ${MAX_CODE} characters`);
  const run = (staticData?: OpenStaticData): Promise<CodeReport> =>
    runUntilKept(context, code, form, files, staticData);
  return namesStaticData(code) ? withStaticData(context, run) : run();
}

async function runUntilKept(
  context: NodeContext,
  code: string,
  form: CallForm,
  files: InputFiles,
  staticData: OpenStaticData | undefined,
): Promise<CodeReport> {
  for (let runs = 1; ; runs += 1) {
    const { report, console } = await runOnce(context, code, form, files, staticData);
    const kept =
      staticData === undefined || report.staticData === undefined
        ? 'kept'
        : await staticData.keep(report.staticData, runs >= MAX_RUNS);
    if (kept === 'again') continue;
    context.log(console);
    writeMarks(context, report);
    return report;
  }
}

async function runOnce(
  context: NodeContext,
  code: string,
  form: CallForm,
  files: InputFiles,
  staticData: OpenStaticData | undefined,
): Promise<{ readonly report: CodeReport; readonly console: readonly string[] }> {
  const { language, source } = analyse(code, form);
  const input = await buildInput(context, form, source, files, staticData?.seen);
  const answer = await context.ports.code.run({ code: source.text, language, input, signal: context.signal });
  if (answer.kind !== 'stopped') {
    const report = readReport(answer.report);
    // A report that kept the thread this long is written next, which keeps it again.
    if (answer.report.length > LARGE_REPORT) await context.pause();
    return { report, console: answer.console };
  }
  context.log(answer.console);
  throw stopFailure(answer.reason, 'code');
}

/** The language of code, and what it may ask for. */
function analyse(code: string, { style }: CallForm): { readonly language: CodeLanguage; readonly source: CodeSource } {
  if (style !== 'python' && style !== 'pythonNative') return { language: 'javaScript', source: readSource(code) };
  return { language: 'python', source: readPython(code, style === 'python') };
}
