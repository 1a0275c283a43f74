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

/** What earlier polls left. */
export interface KnownEvents {
  /** The state that the source gave last. Undefined: this is the first poll. */
  readonly state: Json | undefined;
  /** What the source gave with events that were not passed on: they are to be given again. */
  readonly redo: Json | undefined;
}

/** What a source found. */
export interface FoundEvents {
  readonly hasEvents: boolean;
  /** State from which the next poll goes on. JSON of at most some 100 KB. */
  readonly next: Json;
  /** With events: what is needed to give them again, if the server would no longer call them new. */
  readonly redo?: Json;
}

/** A server that is asked for events. */
export interface EventSource {
  /**
   * Asks for new events, says once by `commit` what it found, and gives their items. What marks events on the server
   * comes after `commit`.
   */
  readonly ask: (known: KnownEvents, commit: (found: FoundEvents) => Promise<void>) => Promise<readonly Item[]>;
  /** Items to try a workflow with, by hand: changes nothing, here or on the server. */
  readonly preview: () => Promise<readonly Item[]>;
}

/** Tries to begin while other runs write the same entry. */
const TRIES = 10;

interface Begun {
  readonly kept: KeptPoll;
  readonly version: number;
}

/**
 * Runs a polling trigger. Of a run that the clock started the items are the new events, none if another run polls now
 * or the server is left alone after failures. State and events go together: the state counts once the execution that
 * found the events has stored them, so that a crash at any moment loses none and gives none twice. A run that was
 * started by hand passes on its data, or previews.
 * @throws NodeFailure if the server cannot be asked: the state stays, and the pause before the next try grows.
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
    if (written === undefined) throw new NodeFailure('Another run has polled meanwhile');
    [kept, version] = [found, written];
  };
  try {
    const items = await ask({ state: kept.state, redo: kept.redo }, commit);
    if (!isCommitted) throw new Error('A source must say what it found.');
    return output(items);
  } catch (thrown) {
    if (!context.signal.aborted) await noteFailure(context, { kept, version });
    throw thrown;
  }
}

/** Takes the turn. @returns undefined if this is not the time to ask the server */
async function begin(context: PollContext): Promise<Begun | undefined> {
  const { ports, executionId, attempt } = context;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const entry = await ports.persistentState.read(nameOf(context));
    const found = readKeptPoll(valueOf(entry));
    const fate = await fateOf(context, found);
    if (fate === 'pending') return undefined;
    const settled = settleTurn(found, fate);
    const now = ports.clock.now();
    // A further try of the same run was asked for by the options of the node.
    if (attempt === 0 && found.turn?.executionId !== executionId && isPausing(settled, now)) return undefined;
    const kept = { ...settled, turn: { executionId, at: now } };
    const version = await write(context, entry.version, kept);
    if (version !== undefined) return { kept, version };
  }
  // Others poll all the time, so that this run need not.
  return undefined;
}

async function fateOf({ ports, executionId }: PollContext, { turn }: KeptPoll): Promise<FirstResult | 'own'> {
  if (turn === undefined || turn.executionId === executionId) return 'own';
  return ports.persistentState.firstResult(turn.executionId);
}

async function noteFailure(context: PollContext, { kept, version }: Begun): Promise<void> {
  // If this fails too, the turn stays, and the next poll finds out that it gave nothing.
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
  // A repeated write is one whose answer was lost on the way.
  return outcome.kind === 'repeated' && outcome.entry.version === expectedVersion + 1
    ? outcome.entry.version
    : undefined;
}

function nameOf({ node }: PollContext): string {
  return `poll:${nodeKey(node.name)}`;
}
