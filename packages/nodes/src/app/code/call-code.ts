import type { JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { CodeStop } from '@weft/sandbox';
import { readReport } from '../../code/read-report';
import { programInput } from '../../shared/program-input';
import { SEAL_HELP } from '../../shared/seal-help';
import type { AppRun } from '../app-run';
import { adviceOn } from '../template';
import { placeOf, type PreparedCode } from './prepare-code';

/** Time limit of one call in milliseconds. A busy machine that starves the process extends it, up to three times. */
const CALL_MS = 1_000;

/** Why code was stopped or did not begin. */
const STOPS: Readonly<Record<CodeStop, string>> = {
  time: 'one call took more than 1 s',
  memory: 'it needs too much memory',
  result: 'it returns more than 16 MB',
  input: 'the responses are too large for it: at most 16 MB',
  never: 'it waits for something that never happens',
  engine: 'it crashed its engine',
  crash: 'its process ended unexpectedly',
  busy: 'no sandbox was free to run it; run it again later, or raise RUNNER_SANDBOXES',
  start: 'no sandbox could be started; check the log of the runner',
  unsealed: `this runner cannot seal processes. ${SEAL_HELP}`,
  absent: 'this runner does not have its language',
  closed: 'the runner is stopping',
  aborted: 'the run was stopped',
};

/**
 * Calls `next` of a code step once, in the sealed process of the workflow's owner: without network, files, environment
 * or secrets. Nothing is left of a call for the next one but what it returns.
 * @returns untrusted JSON, undefined if it returned nothing
 * @throws NodeFailure with the place in the app file if the code fails or exceeds a limit
 */
export async function callCode(code: PreparedCode, argument: JsonObject, run: AppRun): Promise<unknown> {
  const { context, budget } = run;
  const input = JSON.stringify(programInput(argument, context.timezone));
  const { program } = code;
  const answer = await context.ports.code.run({ code: program, input, signal: context.signal, timeoutMs: CALL_MS });
  if (answer.console.length > 0) context.log(answer.console);
  if (answer.kind === 'stopped')
    throw new NodeFailure(`The code of the app was stopped: ${placeOf(code, undefined)}: ${STOPS[answer.reason]}.`);
  budget.limit();
  budget.spend(answer.report.length);
  const { error, value } = readReport(answer.report);
  if (error === undefined) return value?.value;
  throw new NodeFailure(`The code of the app cannot use the parameters, or a response: ${placeOf(code, error.line)}`, {
    description: adviceOn(
      `${error.name}: ${error.message}`,
      'the parameters of the node, the credential and what it may do',
    ),
  });
}
