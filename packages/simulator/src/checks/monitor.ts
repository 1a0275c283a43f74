import { type Document, memberOf, type Value } from '../store/values';

/** History of one stored execution, as the store saw it. */
export interface History {
  readonly id: string;
  /** How often a process lost it or gave it back: each time an act may have been in progress. */
  losses: number;
  /** Id of the process that holds it; empty while no process does. */
  holder: string;
  state: string;
}

/** Watches every change of an execution in the store, and checks what must hold in each moment. */
export interface Monitor {
  readonly onChange: (collection: string, before: Document | undefined, after: Document | undefined) => void;
  readonly histories: ReadonlyMap<string, History>;
}

const END_STATES: ReadonlySet<Value> = new Set(['success', 'error', 'crashed', 'cancelled']);

export const isEnd = (state: Value): boolean => END_STATES.has(state);

/** A change of an execution in the store. */
export type Moment = 'insert' | 'claim' | 'checkpoint' | 'end' | 'queue';

const momentOf = (before: Document | undefined, after: Document): Moment | undefined => {
  if (before === undefined) return 'insert';
  if (before['state'] !== after['state']) {
    if (isEnd(after['state'])) return 'end';
    return after['state'] === 'running' ? 'claim' : 'queue';
  }
  return before['checkpoint'] === after['checkpoint'] ? undefined : 'checkpoint';
};

/** @param violated called with a description of what does not hold */
export const createMonitor = (
  note: (text: string) => void,
  violated: (text: string) => void,
  onMoment: (moment: Moment, holder: string) => void,
  hasFailed: () => boolean,
): Monitor => {
  const histories = new Map<string, History>();
  const onChange: Monitor['onChange'] = (collection, before, after) => {
    if (collection !== 'executions') return;
    const id = String((before ?? after)?.['_id']);
    if (id.startsWith('witness')) return;
    const history = histories.get(id) ?? { id, losses: 0, holder: '', state: '' };
    histories.set(id, history);
    if (after === undefined) return;
    const state = String(after['state']);
    const was = before?.['state'];
    if (was !== state || before?.['fence'] !== after['fence'])
      note(
        `${id} ${was === undefined ? 'is stored as' : 'becomes'} ${state}, fence ${String(after['fence'])}, ` +
          `checkpoint ${String(after['checkpoint'])}, ${String(memberOf(after['lease'], 'runnerId') ?? '')}`,
      );
    if (isEnd(was) && was !== state) violated(`${id} ended as ${String(was)} and became ${state}`);
    if (Number(before?.['fence'] ?? 0) > Number(after['fence'])) violated(`the fence of ${id} went back`);
    if (was === 'running' && (state === 'queued' || state === 'crashed')) {
      history.losses += 1;
      if (!hasFailed()) violated(`${id} was taken from its runner, although nothing had failed`);
    }
    history.holder = state === 'running' ? String(memberOf(after['lease'], 'runnerId')) : '';
    history.state = state;
    const moment = momentOf(before, after);
    if (moment !== undefined) onMoment(moment, history.holder);
  };
  return { onChange, histories };
};
