import { Unavailable } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import type { EndedExecution } from '../state/execution';
import { createRunCompletionHooks } from './completion-hooks';
import type { Write } from '../state/write';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const at = (ms: number): Date => new Date(NOW + ms);
const ENDED: Omit<EndedExecution, 'postRunActions'> = {
  _id: uuidv7(),
  workflowId: uuidv7(),
  versionId: uuidv7(),
  ownerId: 'o',
  mode: 'webhook',
  usePinData: false,
  state: 'success',
  status: 'success',
  crashes: 0,
  nodeRunCount: 0,
  createdAt: at(0),
};

describe('a completion hook', () => {
  const carried = (
    postRunActions: EndedExecution['postRunActions'],
    wakeParent = () => Promise.resolve(),
    fields: Partial<EndedExecution> = {},
  ) => {
    const done: string[] = [];
    const writes: Write[] = [];
    const perform = createRunCompletionHooks({
      wakeParent: (parentId) => {
        done.push(`wake ${parentId}`);
        return wakeParent();
      },
      releaseSlot: () => Promise.resolve(),
      startErrorWorkflow: () => Promise.resolve(),
      notify: (subscriptionId) => Promise.resolve(void done.push(`notify ${subscriptionId}`)),
      cancelChildren: () => Promise.resolve(void done.push('cancel children')),
      apply: (_, write) => {
        writes.push(write);
        return Promise.resolve({ outcome: 'applied' });
      },
      clock: () => NOW,
      warn: () => undefined,
    });
    return { done, writes, isDone: perform({ ...ENDED, ...fields, postRunActions }) };
  };

  it('runs when due, and not before', async () => {
    const due = { kind: 'resume-parent', when: 'end', target: 'p', due: at(0) } as const;
    const later = { kind: 'cancel-children', when: 'end', target: '', due: at(1) } as const;
    const { done, isDone } = carried([due, later]);
    expect([await isDone, done]).toEqual([false, ['wake p']]);
    const both = carried([due, { ...later, due: at(-1) }]);
    expect([await both.isDone, both.done]).toEqual([true, ['wake p', 'cancel children']]);
  });

  it('expires a failed record, but not that of a scheduled run that ended before any node did', async () => {
    const expire = { kind: 'expire-record', when: 'error', target: '', due: at(0) } as const;
    const expired = async (fields: Partial<EndedExecution>) => {
      const { writes, isDone } = carried([expire], undefined, fields);
      expect(await isDone).toBe(true);
      return writes.some(({ changes }) => changes.set?.['expireAt'] !== undefined);
    };
    expect(await expired({ mode: 'trigger', lastNode: 'Feed' })).toBe(true);
    expect(await expired({ mode: 'webhook' })).toBe(true);
    expect(await expired({ mode: 'trigger' })).toBe(false);
  });

  it('notifies the subscription that it names', async () => {
    const notify = { kind: 'notify', when: 'end', target: 's', due: at(0) } as const;
    const { done, isDone } = carried([notify]);
    expect([await isDone, done]).toEqual([true, ['notify s']]);
  });

  it('does not run if the end has not armed it', async () => {
    const { done, isDone } = carried([{ kind: 'resume-parent', when: 'error', target: 'p' }]);
    expect([await isDone, done]).toEqual([true, []]);
  });

  it('is postponed without delaying others if it fails temporarily', async () => {
    const failing = { kind: 'resume-parent', when: 'end', target: 'p', due: at(-1) } as const;
    const other = { kind: 'cancel-children', when: 'end', target: '', due: at(-1) } as const;
    const { done, writes, isDone } = carried([failing, other], () => Promise.reject(new Unavailable('Gone.')));
    expect([await isDone, done]).toEqual([false, ['wake p', 'cancel children']]);
    expect(writes[0]?.changes.setElements?.set['due']).toEqual(expect.any(Date));
    expect(writes[0]?.changes.setElements?.set['due']).not.toEqual(at(-1));
  });
});
