import { currentContext, withContext, withoutContext, type RequestContext } from '../context';
import { InFlightMap } from '../in-flight';

/** Reads by key, shared by concurrent callers with the same key. */
export type ShareReads<Result> = (key: string, read: () => Promise<Result>) => Promise<Result>;

/** Maximum concurrent reads of a key. A second one lets callers overtake a slow read; more would share less. */
const MAX_UNDER_WAY = 2;

/** A read that has not begun, so further callers may join it. */
interface PlannedRead<Result> {
  readonly read: () => Promise<Result>;
  readonly callers: {
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
    readonly context: RequestContext | undefined;
  }[];
}

interface Key<Result> {
  underWay: number;
  planned: PlannedRead<Result> | undefined;
}

/** The first caller's context with the latest deadline; no deadline if a caller has none. */
const contextOf = ({ callers }: Pick<PlannedRead<never>, 'callers'>): RequestContext | undefined => {
  const contexts = callers.flatMap(({ context }) => context ?? []);
  const deadlines = contexts.flatMap(({ deadline }) => deadline ?? []);
  const [first] = contexts;
  return first === undefined || deadlines.length < callers.length
    ? undefined
    : { ...first, deadline: Math.max(...deadlines) };
};

const perform = async <Result>({ read, callers }: PlannedRead<Result>): Promise<void> => {
  try {
    const result = await read();
    for (const { resolve } of callers) resolve(result);
  } catch (error) {
    for (const { reject } of callers) reject(error);
  }
};

/**
 * Shares reads: calls with the same key made within one tick of the event loop, or while such reads are in flight,
 * share one read. That read begins after the last of these calls, so no caller gets a state older than its call.
 * Nothing is cached, and a failed read fails only its own callers.
 */
export const createSharedReads = <Result>(): ShareReads<Result> => {
  const keys = new InFlightMap<string, Key<Result>>();

  const beginPlanned = (name: string, key: Key<Result>): void => {
    const { planned } = key;
    if (planned === undefined) {
      if (key.underWay === 0 && keys.get(name) === key) keys.delete(name);
      return;
    }
    if (key.underWay >= MAX_UNDER_WAY) return;
    key.planned = undefined;
    key.underWay += 1;
    const context = contextOf(planned);
    const run = async (): Promise<void> => {
      await perform(planned);
      key.underWay -= 1;
      beginPlanned(name, key);
    };
    void (context === undefined ? withoutContext(run) : withContext(context, run));
  };

  return function shareRead(name, read) {
    const key = keys.get(name) ?? { underWay: 0, planned: undefined };
    keys.set(name, key);
    return new Promise((resolve, reject) => {
      const caller = { resolve, reject, context: currentContext() };
      if (key.planned !== undefined) {
        key.planned.callers.push(caller);
        return;
      }
      key.planned = { read, callers: [caller] };
      if (key.underWay < MAX_UNDER_WAY) setImmediate(() => beginPlanned(name, key));
    });
  };
};
