import type { Json } from '@weft/node-catalogue';
import { type StateEntry, type NodeContext, NodeFailure } from '@weft/engine';

/** Number of retries of a change that lost to other runs. */
const TRIES = 30;
/** Maximum pause before a retry; most are much shorter. */
const PAUSE_MS = 200;

/** Change that a node makes to the stored value. */
export interface StateChange<Result> {
  readonly result: Result;
  /** Absent: nothing to change. `operation` distinguishes this write from others of the execution. */
  readonly write?: { readonly value: Json; readonly operation: string };
}

/** The part of a node run that a change needs. */
export interface StateContext {
  readonly ports: Pick<NodeContext['ports'], 'persistentState' | 'clock'>;
  readonly signal: AbortSignal;
}

/**
 * Reads an entry, decides what to write, and writes it. If another run wrote first, it decides again with the new
 * value, so that no change is lost. A repeated operation is decided again as well: if it asks for the same write, that
 * write has already taken effect.
 * @throws NodeFailure if other runs keep writing
 */
export function updateState<Result>(
  context: StateContext,
  name: string,
  decide: (value: Json | undefined) => StateChange<Result>,
): Promise<Result> {
  return context.ports.persistentState.inTurn(name, () => update(context, name, decide));
}

async function update<Result>(
  { ports, signal }: StateContext,
  name: string,
  decide: (value: Json | undefined) => StateChange<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  let entry = await ports.persistentState.read(name);
  let repeated: string | undefined;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { result, write } = decide(valueOf(entry));
    if (write === undefined || write.operation === repeated) return result;
    const outcome = await ports.persistentState.write({
      name,
      expectedVersion: entry.version,
      valueJson: JSON.stringify(write.value),
      operation: write.operation,
    });
    if (outcome.kind === 'written') return result;
    repeated = outcome.kind === 'repeated' ? write.operation : undefined;
    if (repeated === undefined) await ports.clock.sleep(Math.random() * Math.min(PAUSE_MS, tries * 10), signal);
    // While this run paused, a busy runner has written many times: what the write returned is out of date.
    entry = repeated === undefined ? await ports.persistentState.read(name) : outcome.entry;
  }
  throw new NodeFailure('Other runs of this workflow keep changing its persistent state', {
    description: 'Reduce the number of its concurrent runs, or run the node again.',
  });
}

/** The value of an entry. An unreadable value counts as empty because something else wrote it. */
export function valueOf({ valueJson }: StateEntry): Json | undefined {
  if (valueJson === undefined) return undefined;
  try {
    const value: Json = JSON.parse(valueJson);
    return value;
  } catch {
    return undefined;
  }
}
