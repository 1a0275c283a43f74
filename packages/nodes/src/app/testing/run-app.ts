import type { AppDocument } from '@weft/app-model';
import type { JsonObject, KindDescriptor } from '@weft/node-catalogue';
import { readDefinition } from '@weft/node-catalogue';
import {
  type CallerRequest,
  type ExecutionError,
  type FileStore,
  initialState,
  type Item,
  prepareWorkflow,
  type Resume,
  runWorkflow,
} from '@weft/engine';
import { memoryFiles } from '@weft/engine/testing';
import type { OutboundHttp } from '@weft/outbound';
import type { CodeRunner } from '@weft/sandbox';
import { KIND_TABLE } from '../../descriptors/kinds';
import { kindsOfApp } from '../../descriptors/kinds-of-app';
import { NODE_REGISTRY } from '../../executors';
import { definitionOf, sourceOf, testPorts } from '../../testing/cases/run-kind';
import { executorOf } from '../app-executors';

/** A run of a node of an app that is not part of the build. */
export interface AppTestRun {
  readonly app: AppDocument;
  readonly http: OutboundHttp;
  readonly parameters?: JsonObject;
  /** One empty item by default. */
  readonly items?: readonly JsonObject[];
  /** Data of every credential. */
  readonly credential?: JsonObject;
  readonly continueOnFail?: boolean;
  /** Runs the code of code steps; calls fail by default. */
  readonly code?: CodeRunner;
  /** Files of the run, and those of each item. */
  readonly files?: FileStore;
  readonly binary?: Item['binary'];
  /** Ends of the waits for a caller, in their order; undefined: the run continues on another runner. */
  readonly resumes?: readonly (Resume | undefined)[];
}

/** Result of an app's node. */
export interface AppTestResult {
  readonly items: readonly Item[];
  readonly error: ExecutionError | undefined;
  /** Milliseconds of each wait without a slot. */
  readonly waits: readonly number[];
  /** Milliseconds of each delay in place. */
  readonly sleeps: readonly number[];
  /** Its waits for a caller. */
  readonly questions: readonly CallerRequest[];
}

/** Start of the clock of the tests, in Unix milliseconds. It moves by the waits alone. */
const START = 1_700_000_000_000;

/** The descriptor of the one kind of an app. */
function descriptorOf(app: AppDocument): KindDescriptor {
  const [descriptor] = kindsOfApp(app);
  if (descriptor === undefined) throw new Error('The app has no kind.');
  return descriptor;
}

/** Runs the kind of an app on the real engine, across its waits. */
export async function runAppKind(run: AppTestRun): Promise<AppTestResult> {
  const { app, http, items = [{}], parameters = {}, credential = {} } = run;
  const descriptor = descriptorOf(app);
  const credentials = Object.fromEntries(descriptor.credentials.map(({ type }) => [type, { id: 'c', name: 'C' }]));
  const onError = run.continueOnFail === true ? { onError: 'continueRegularOutput' } : {};
  const { code, files = memoryFiles(), binary = {} } = run;
  const kindRun = {
    http,
    items,
    parameters,
    credential,
    files,
    binary,
    node: { credentials, ...onError },
    ...(code === undefined ? {} : { code }),
  };
  const workflow = prepareWorkflow(
    readDefinition(definitionOf(descriptor.kind, kindRun)),
    new Map([...KIND_TABLE, [descriptor.kind, descriptor]]),
  );
  const waits: number[] = [];
  const sleeps: number[] = [];
  let now = START;
  const clock = {
    now: () => now,
    sleep: async (ms: number): Promise<void> => {
      sleeps.push(ms);
    },
  };
  const deps = {
    registry: new Map([
      ...NODE_REGISTRY,
      ['source', sourceOf(kindRun)],
      [descriptor.kind, executorOf(descriptor.kind, () => ({ app, descriptor }))],
    ]),
    ports: { ...testPorts(kindRun, []), clock },
    publicUrl: 'https://weft.example',
    defaultTimezone: 'UTC',
    vars: {},
    env: { SECRET_OF_HOST: 'host' },
    nodeRunsMax: 100,
  };
  const request = {
    workflow,
    workflowId: 'w1',
    workflowActive: true,
    executionId: 'e1',
    mode: 'manual' as const,
    input: [{ json: {} }],
    usePinData: false,
    signal: new AbortController().signal,
  };
  const observer = { onNodeRun: () => undefined, stopRequested: () => undefined };
  let finished = await runWorkflow({ ...request, state: initialState('Start'), records: new Map() }, deps, observer);
  const resumes = [...(run.resumes ?? [])];
  const questions: CallerRequest[] = [];
  while (finished.outcome.kind === 'waiting' && finished.outcome.wait.kind !== 'child') {
    const { wait, state } = finished.outcome;
    // As the state is stored between the segments of a run.
    const stored: typeof state = JSON.parse(JSON.stringify(state));
    const segment = { ...request, state: stored, records: finished.records };
    if (wait.kind === 'webhook') {
      questions.push(wait);
      if (resumes.length === 0) break;
      const resume = resumes.shift();
      finished = await runWorkflow(resume === undefined ? segment : { ...segment, resume }, deps, observer);
    } else {
      waits.push(wait.at - now);
      now = wait.at;
      finished = await runWorkflow({ ...segment, resume: { kind: 'timer' } }, deps, observer);
    }
  }
  const record = finished.records.get('Node')?.[0];
  return { items: record?.data?.main?.[0] ?? [], error: record?.error, waits, sleeps, questions };
}
