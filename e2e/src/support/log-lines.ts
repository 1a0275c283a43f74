import type { ServiceName, Stack } from '@weft/local-stack';
import { readFileSync } from 'node:fs';

/** The complete lines in the logs of all replicas of a service. */
export const logLines = (stack: Stack, service: ServiceName): readonly Readonly<Record<string, unknown>>[] =>
  stack.of(service).flatMap(({ logFile }) =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line)),
  );
