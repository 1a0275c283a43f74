import { randomUUID } from 'node:crypto';
import type { Json } from '@weft/node-catalogue';
import { type FirstResult, type Item, type NodeContext, NodeFailure, type NodeResult, output } from '@weft/engine';
import { nodeKey, nodeRunOperation } from '../persistent-state/node-key';
import { valueOf } from '../persistent-state/update-state';
import { failedPoll, isPausing, type KeptPoll, keptPollJson, readKeptPoll, settleTurn } from './kept-poll';

/** The part of a node run that a poll needs. */
export type PollContext = Pick<
  NodeContext,
  'attempt' | 'executionId' | 'items' | 'mode' | 'node' | 'ports' | 'runIndex' | 'signal'
>;

/** The result of earlier polls. */
export interface KnownEvents {
  /** The latest state from the source. Undefined: this is the first poll. */
  readonly state: Json | undefined;
  /** Replay data of events that were not passed on: the source must return them again. */
  readonly redo: Json | undefined;
}

/** The events that a source found. */
export interface FoundEvents {
  readonly hasEvents: boolean;
  /** State from which the next poll continues. JSON of at most about 100 KB. */
  readonly next: Json;
  /** With events: data to return them again if the server no longer reports them as new. */
  readonly redo?: Json;
}

/** A server that is polled for events. */
export interface EventSource {
  /**
   * Polls for new events, calls `commit` once with the result, and returns their items. Events are marked on the server
   * only after `commit`.
   */
  readonly ask: (known: KnownEvents, commit: (found: FoundEvents) => Promise<void>) => Promise<readonly Item[]>;
  /** Items for a test run: changes nothing, here or on the server. */
  readonly preview: () => Promise<readonly Item[]>;
}

/** Number of attempts to begin while other runs write the same entry. */
const TRIES = 10;

interface Begun {
  readonly kept: KeptPoll;
  readonly version: number;
}

/**
 * Runs a polling trigger. For a run started by the schedule, the items are the new events; none if another run is
 * polling or polling is paused after failures. The new state applies only once the execution that found the events has
 * stored them, so that a crash at any moment neither loses nor repeats events. A run started manually passes on its
 * data, or returns a preview.
 * @throws NodeFailure if the server cannot be polled: the state stays, and the pause before the next poll grows
 */
export async function poll(context: PollContext, { ask, preview }: EventSource): Promise<NodeResult> {
  if (context.mode !== 'trigger') {
    const isGiven = context.items.some(({ json }) => Object.keys(json).length > 0);
    return output(isGiven ? context.items : await preview());
  }
  const begun = await begin(context);
  if (begun === undefined) return output([]);
  let { kept, version } = begun;
  let isCommitted = false;
  const commit = async ({ hasEvents, next, redo }: FoundEvents): Promise<void> => {
    isCommitted = true;
    const { turn } = kept;
    const found: KeptPoll =
      hasEvents && turn !== undefined
        ? { ...kept, turn: { ...turn, next, ...(redo === undefined ? {} : { redo }) } }
        : { state: next, failures: 0 };
    const written = await write(context, version, found);
    if (written === undefined) throw new NodeFailure('Another run polled in the meantime');
    [kept, version] = [found, written];
  };
  try {
    const items = await ask({ state: kept.state, redo: kept.redo }, commit);
    if (!isCommitted) throw new Error('A source must call commit.');
    return output(items);
  } catch (thrown) {
    if (!context.signal.aborted) await noteFailure(context, { kept, version });
    throw thrown;
  }
}

/** Begins a poll. @returns undefined if it is too early to poll the server */
async function begin(context: PollContext): Promise<Begun | undefined> {
  const { ports, executionId, attempt } = context;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const entry = await ports.persistentState.read(nameOf(context));
    const found = readKeptPoll(valueOf(entry));
    const fate = await fateOf(context, found);
    if (fate === 'pending') return undefined;
    const settled = settleTurn(found, fate);
    const now = ports.clock.now();
    // The node's retry options asked for another attempt in the same run.
    if (attempt === 0 && found.turn?.executionId !== executionId && isPausing(settled, now)) return undefined;
    const kept = { ...settled, turn: { executionId, at: now } };
    const version = await write(context, entry.version, kept);
    if (version !== undefined) return { kept, version };
  }
  // Other runs keep polling, so this run can skip it.
  return undefined;
}

async function fateOf({ ports, executionId }: PollContext, { turn }: KeptPoll): Promise<FirstResult | 'own'> {
  if (turn === undefined || turn.executionId === executionId) return 'own';
  return ports.persistentState.firstResult(turn.executionId);
}

async function noteFailure(context: PollContext, { kept, version }: Begun): Promise<void> {
  // If this fails too, the poll stays recorded as begun, and the next one finds that it passed nothing on.
  await write(context, version, failedPoll(settleTurn(kept, 'own'), context.ports.clock.now())).catch(() => undefined);
}

/** @returns the new version; undefined if another write came first */
async function write(context: PollContext, expectedVersion: number, kept: KeptPoll): Promise<number | undefined> {
  const outcome = await context.ports.persistentState.write({
    name: nameOf(context),
    expectedVersion,
    valueJson: JSON.stringify(keptPollJson(kept)),
    operation: `${nodeRunOperation(context)}:${randomUUID()}`,
  });
  if (outcome.kind === 'written') return expectedVersion + 1;
  // The write was repeated because its response was lost.
  return outcome.kind === 'repeated' && outcome.entry.version === expectedVersion + 1
    ? outcome.entry.version
    : undefined;
}

function nameOf({ node }: PollContext): string {
  return `poll:${nodeKey(node.name)}`;
}
