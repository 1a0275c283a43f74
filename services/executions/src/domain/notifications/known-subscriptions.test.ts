import { createKnownSubscriptions } from './known-subscriptions';
import type { EventSubscription } from './subscription';

const subscriptionOf = (id: string, fields: Partial<EventSubscription> = {}): EventSubscription => ({
  id,
  name: id,
  url: 'https://receiver.example/',
  batch: 1,
  allOwners: false,
  ownerId: 'o',
  revision: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...fields,
});
const knownOf = (...subscriptions: EventSubscription[]) =>
  createKnownSubscriptions(() => Promise.resolve([]), subscriptions);
const targetsOf = (known: ReturnType<typeof knownOf>, ownerId = 'o', workflowId = 'w') =>
  known.plan({ ownerId, workflowId }).map(({ when, target }) => `${target} ${when}`);

describe('the hooks of a new execution', () => {
  it('are one for each subscription of its owner, of its workflow, or of all owners', () => {
    const known = knownOf(
      subscriptionOf('own'),
      subscriptionOf('other', { ownerId: 'p' }),
      subscriptionOf('all', { ownerId: 'p', allOwners: true }),
      subscriptionOf('workflow', { workflowIds: ['v', 'w'] }),
      subscriptionOf('all-of-v', { allOwners: true, workflowIds: ['v'] }),
    );
    expect(targetsOf(known)).toEqual(['own end', 'all end', 'workflow end']);
    expect(targetsOf(known, 'q', 'v')).toEqual(['all end', 'all-of-v end']);
    expect(targetsOf(known, 'q', 'x')).toEqual(['all end']);
  });

  it('apply to the ends that the status of the subscription names', () => {
    const known = knownOf(subscriptionOf('s', { status: 'success' }), subscriptionOf('e', { status: 'error' }));
    expect(targetsOf(known)).toEqual(['s success', 'e stop']);
  });

  it('do not include paused subscriptions', () => {
    expect(targetsOf(knownOf(subscriptionOf('s', { pause: { reason: 'gone', at: new Date(0) } })))).toEqual([]);
  });
});

describe('the subscriptions of this replica', () => {
  it('are those of the read that began last, whichever ends first', async () => {
    const ends: ((found: readonly EventSubscription[]) => void)[] = [];
    const known = createKnownSubscriptions(() => new Promise((resolve) => ends.push(resolve)), []);
    const refreshed = [known.refresh(), known.refresh(), known.refresh()];
    for (const index of [1, 0, 2]) {
      ends[index]?.([subscriptionOf(`read-${index}`)]);
      await refreshed[index];
      expect(known.all().map(({ id }) => id)).toEqual([`read-${Math.max(1, index)}`]);
    }
  });
});

describe('a subscription that this replica does not know', () => {
  it('is read once for all that look for it', async () => {
    let reads = 0;
    const known = createKnownSubscriptions(() => {
      reads += 1;
      return Promise.resolve([subscriptionOf('new')]);
    }, []);
    expect(await known.find('new')).toMatchObject({ id: 'new' });
    await known.find('new');
    expect(reads).toBe(1);
    expect(await known.find('gone')).toBeUndefined();
  });
});
