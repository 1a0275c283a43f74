import { setTimeout as sleep } from 'node:timers/promises';
import { runnerProcesses, type ServiceName } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from './stand-ins/local-server';
import { callWebhook, restClient, textOf, type RestAnswer } from './rest';
import {
  startTappedStack,
  type AtSight,
  type Offer,
  type Passage,
  type Sight,
  type StoredExecution,
  type TappedStack,
} from './processes/tapped-stack';
import { connect, node, smallWorkflow, type WorkflowFile } from './workflows';

/** Maximum milliseconds for which a run stays in memory. */
const HOLD_MS = 2_000;
/** Milliseconds without an offer after which no claim of a runner waits for one: the next is made by a message. */
const NO_CLAIM_WAITS_MS = 800;

/** Paths of webhooks that are answered by the last node: one only computes, the other calls the sink. */
export type Path = 'computes' | 'calls';

/** A run that was offered, and the answer of its caller. */
export interface BegunRun extends Offer {
  readonly answer: Promise<RestAnswer>;
}

/** A tapped stack with two workflows, and the sink that one of them calls. */
export interface InlineScene {
  readonly tapped: TappedStack;
  readonly workflowIds: Readonly<Record<Path, string>>;
  /**
   * Sends calls until one is held in memory and offered by a message; for earlier calls a claim was waiting.
   * @param atOffer called before the runner has the offer
   * @param send sends one call; by default that of the webhook at the first gateway
   */
  readonly begin: (path: Path, atOffer?: (offer: Offer) => void, send?: () => Promise<RestAnswer>) => Promise<BegunRun>;
  /** The write by which the replica of an offer stores its run. */
  readonly insertOf: (offer: Offer, atSight?: AtSight) => Sight;
  /** The write that the runner sends to the replica of an offer: to have the run stored, or to end it. */
  readonly writeOf: (offer: Offer, atSight?: AtSight) => Sight;
  /** Anything about a run that its runner sends to the other replica. */
  readonly askOf: (offer: Offer) => Sight;
  /** Resolves when its runner has asked the other replica to have it stored, and that has answered. */
  readonly refusedElsewhere: (offer: Offer) => Promise<void>;
  /** The stored execution. */
  readonly find: (executionId: string) => Promise<StoredExecution | undefined>;
  /** Kills a process and waits for its end. */
  readonly kill: (service: ServiceName, index: number) => Promise<void>;
  /** Stops a runner once its runs have ended, and starts it again: afterwards it has finished all work. */
  readonly settle: (runner: number) => Promise<void>;
  /** Idempotency keys of the sink's calls from an execution. */
  readonly effectsOf: (executionId: string) => readonly string[];
  /** Executions that called the sink. */
  readonly actors: () => readonly string[];
  /** Holds all answers until `open` is called. */
  readonly closeSink: () => { readonly open: () => void };
  readonly stop: () => Promise<void>;
}

const callingWorkflow = (path: string, url: string): WorkflowFile => ({
  name: path,
  nodes: [
    node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'lastNode' }),
    node('Call', 'httpRequest', 4.2, 200, { method: 'POST', url, options: { sendIdempotencyKey: true } }),
  ],
  connections: connect({ Webhook: [['Call']] }),
  settings: { executionOrder: 'v1' },
});

const startSink = async () => {
  let opened: Promise<unknown> = Promise.resolve();
  const server: LocalServer = await startLocalServer({ ok: true }, () => opened);
  return {
    server,
    close: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      opened = promise;
      return { open: () => resolve(undefined) };
    },
  };
};

/** Starts everything and waits until the webhooks answer. */
export const startInlineScene = async (): Promise<InlineScene> => {
  const sink = await startSink();
  const tapped = await startTappedStack({
    LEASE_MS: '3000',
    SWEEP_MS: '300',
    HOLD_AWAITED_MS: String(HOLD_MS),
  });
  const { stack } = tapped;
  const rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  const create = async (workflow: WorkflowFile): Promise<string> =>
    textOf(await rest('POST', '/workflows', { ...workflow, active: true }), 'id');
  const workflowIds = {
    computes: await create(smallWorkflow('computes', { responseMode: 'lastNode' })),
    calls: await create(callingWorkflow('calls', sink.server.url)),
  };
  const processOf = (service: ServiceName, index: number) => {
    const found = stack.of(service).find((each) => each.index === index);
    if (found === undefined) throw new Error(`There is no ${service} ${index}.`);
    return found;
  };
  const runnerIdsOf = (index: number): string[] =>
    runnerProcesses(processOf('runner', index)).map(({ runnerId }) => runnerId);
  /** A request about a run. Claims and heartbeats also carry the runner's id, but do not count. */
  const isRequest = (
    { from, to, isAnswer, text }: Passage,
    replica: number,
    executionId: string,
    butOf: readonly number[],
  ): boolean =>
    from.service === 'runner' &&
    to.name === 'executions' &&
    to.index === replica &&
    !isAnswer &&
    text.includes(executionId) &&
    !butOf.flatMap(runnerIdsOf).some((runnerId) => text.includes(runnerId));
  const offered = async (
    atOffer: (offer: Offer) => void,
    send: () => Promise<RestAnswer>,
  ): Promise<BegunRun | undefined> => {
    const offer = Promise.withResolvers<Offer | undefined>();
    tapped.onOffer = (made) => {
      tapped.onOffer = () => undefined;
      atOffer(made);
      offer.resolve(made);
    };
    const answer = send();
    answer.then(
      () => offer.resolve(undefined),
      () => offer.resolve(undefined),
    );
    const made = await offer.promise;
    return made === undefined ? undefined : { ...made, answer };
  };
  const keys = (): string[] => sink.server.requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  return {
    tapped,
    workflowIds,
    begin: async (
      path,
      atOffer = () => undefined,
      send = () => callWebhook(stack.baseUrls[0] ?? '', path, { n: 1 }),
    ) => {
      for (let attempt = 0; attempt < 50; attempt += 1) {
        await sleep(NO_CLAIM_WAITS_MS);
        const begun = await offered(atOffer, send);
        if (begun !== undefined) return begun;
      }
      throw new Error('No run was offered before it was stored.');
    },
    insertOf: ({ executionId, replica }, atSight) =>
      tapped.watch(
        ({ from, to, isAnswer, text }) =>
          from.service === 'executions' &&
          from.index === replica &&
          to.name === 'mongodb' &&
          !isAnswer &&
          text.includes(executionId),
        atSight,
      ),
    writeOf: ({ executionId, replica }, atSight) =>
      tapped.watch((passage) => isRequest(passage, replica, executionId, [0, 1]), atSight),
    askOf: ({ executionId, replica, runner }) =>
      tapped.watch((passage) => isRequest(passage, 1 - replica, executionId, [1 - runner])),
    refusedElsewhere: async ({ executionId, replica }) => {
      const other = 1 - replica;
      await tapped.watch((passage) => isRequest(passage, other, executionId, [0, 1])).seen;
      await tapped.watch(({ to, isAnswer }) => to.name === 'executions' && to.index === other && isAnswer).seen;
    },
    find: async (executionId) => (await tapped.find({ _id: executionId }))[0],
    kill: async (service, index) => {
      const victim = processOf(service, index);
      victim.kill('SIGKILL');
      await victim.ended;
    },
    settle: (runner) => processOf('runner', runner).restart(),
    effectsOf: (executionId) => keys().filter((key) => key.startsWith(executionId)),
    actors: () => [...new Set(keys().map((key) => key.split(':')[0] ?? ''))],
    closeSink: sink.close,
    stop: async () => {
      await tapped.stop();
      await sink.server.stop();
    },
  };
};
