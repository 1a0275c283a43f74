import { startStack, type Stack } from '@weft/local-stack';
import { createApi } from './api';
import { measureCeilings } from './ceilings';
import { measureAll } from './measure';
import { measureLanguage } from './measure-language';
import { measureDefinitions } from './definitions';
import { residentMiB } from './process-figures';
import { formatTable, rate, type Row } from './table';

const memoryRows = (stack: Stack, idle: ReadonlyMap<number, number>): Row[] =>
  stack.processes.map(({ service, pid }) => ({
    what: `memory of ${service}: idle, after`,
    figure: `${(idle.get(pid) ?? 0).toFixed(0)} MiB, ${residentMiB(pid).toFixed(0)} MiB`,
    ceiling: '',
  }));

const report = (line: string): void => void process.stdout.write(`${line}\n`);

const run = async (): Promise<void> => {
  report('Starting the stack ...');
  const began = performance.now();
  const stack = await startStack({ env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' } } });
  const readyMs = performance.now() - began;
  try {
    const idle = new Map(stack.processes.map(({ pid }) => [pid, residentMiB(pid)]));
    report('Measuring the ceilings ...');
    const ceilings = await measureCeilings(stack.mongodbUri, stack.grpcTargets.workflows);
    report('Measuring the service ...');
    const api = createApi(stack.baseUrls[0] ?? '', stack.apiKey);
    const definitions = await measureDefinitions(api, stack);
    const rows = await measureAll(api, ceilings);
    report('Measuring the workflow language ...');
    const language = await measureLanguage(api);
    const parts: Row[] = [
      { what: 'store: single inserts, 20 at a time', figure: rate(ceilings.storeSingle), ceiling: '' },
      { what: 'store: inserts in batches of 100', figure: rate(ceilings.storeBatched), ceiling: '' },
      { what: 'one gRPC hop, 50 at a time', figure: rate(ceilings.grpcHop), ceiling: '' },
      { what: 'Express with one gRPC hop, 50 connections', figure: rate(ceilings.expressHop), ceiling: '' },
    ];
    const start: Row = {
      what: 'time from start to ready, servers included',
      figure: `${(readyMs / 1000).toFixed(1)} s`,
      ceiling: '',
    };
    report(`\n${formatTable([...parts, ...definitions, ...rows, ...language, ...memoryRows(stack, idle), start])}`);
  } finally {
    await stack.stop();
  }
};

run().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
