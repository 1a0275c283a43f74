import { runAsCommand } from '@weft/local-stack';
import { readOptions, usage } from './options';
import { LOAD_NAMES, planOf } from './plan';
import { jsonReport } from './report/json-report';
import { textReport } from './report/text-report';
import { runBench } from './run-bench';

/** `npm run bench [-- options]`: measures this checkout, or several stacks alternately. */
runAsCommand(async ({ report, interrupted }) => {
  const options = readOptions(process.argv.slice(2), LOAD_NAMES);
  if (options.help) {
    report(usage(LOAD_NAMES));
    return 0;
  }
  const startedAt = new Date();
  const progress = options.json ? (line: string): void => void process.stderr.write(`${line}\n`) : report;
  const { subjects, result } = await runBench(planOf(options), options, progress, interrupted);
  report(
    options.json
      ? JSON.stringify(jsonReport(startedAt, options, subjects, result), null, 2)
      : `\n${textReport(subjects, result)}`,
  );
  return result.loads.some((load) => load.subjects.some(({ failed }) => failed > 0)) ? 1 : 0;
});
