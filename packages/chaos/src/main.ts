import { runAsCommand } from '@weft/local-stack';
import { FAULT_KINDS, readArguments } from './arguments';
import { canMount } from './environment/small-disk';
import { scenarioJson, scenarioLines } from './scenarios/scenario-result';
import { runScenario } from './scenarios/run-scenario';
import { makePlan, planLines } from './plan/make-plan';
import { resultJson, resultLines } from './report';
import { runChaos } from './run-chaos';

/**
 * `npm run chaos -- --executions N --seed S`: runs a load while faults are injected; exit code 1 if a promise was
 * broken.
 */
runAsCommand(async ({ report, stopped }) => {
  const options = readArguments(process.argv.slice(2));
  // with --json the one line on standard output is the result
  const tell = options.json ? (line: string): void => void process.stderr.write(`${line}\n`) : report;
  if (options.scenario !== undefined) {
    void stopped.then(() => process.exit(130));
    const result = await runScenario(options.scenario, {
      minutes: options.minutes,
      perSecond: options.perSecond,
      report: tell,
    });
    scenarioLines(result).forEach(tell);
    if (options.json) report(scenarioJson(result));
    return result.violations.length === 0 ? 0 : 1;
  }
  const { seed, executions, pace, replicas, durationMs } = options;
  const only = options.only ?? (canMount() ? undefined : FAULT_KINDS.filter((kind) => kind !== 'full-disk'));
  const plan = makePlan({
    seed,
    executions,
    replicas,
    leaseMs: pace.leaseMs,
    ...(only === undefined ? {} : { only }),
    ...(durationMs === undefined ? {} : { durationMs }),
  });
  planLines(plan).forEach(tell);
  if (options.planOnly) return 0;
  void stopped.then(() => process.exit(130));
  const { withHostile, without, settleLimitMs, patienceMs } = options;
  const result = await runChaos({
    plan,
    pace,
    replicas,
    withHostile,
    without,
    report: tell,
    ...(settleLimitMs === undefined ? {} : { settleLimitMs }),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  resultLines(result).forEach(tell);
  if (options.json) report(resultJson(result));
  return result.violations.length === 0 ? 0 : 1;
});
