import { mayChange, type Principal } from '@weft/service-kit/auth';
import { ChangedSinceRead, Forbidden, holdsFor } from '@weft/service-kit/errors';
import { isUuid, uuidv7 } from '@weft/service-kit/ids';
import { boundReached, type ChooseOwner } from '@weft/service-kit/ownership';
import { ownedBy, readPage, type OwnedPageParams, type Page } from '@weft/service-kit/paging';
import type { Clock } from '../state/ports';
import { checkSettings } from './check-settings';
import { EventSubscriptionNotFound, TooManyEventSubscriptions } from './errors';
import type { ScopedSubscriptions } from './scoped-subscriptions';
import type { SignRequests } from './send-due';
import { MAX_SUBSCRIPTIONS, type EventSubscription, type Pause, type SubscriptionSettings } from './subscription';

/** Settings in a request of a user, and whether the subscription is paused. */
export interface SubscriptionInput extends SubscriptionSettings {
  readonly isPaused: boolean;
}

/** Operations of users on subscriptions. */
export interface ManageSubscriptions {
  /** Newest first. @throws InvalidRequest */
  readonly list: (page: OwnedPageParams) => Promise<Page<EventSubscription>>;
  /** @throws EventSubscriptionNotFound, Forbidden */
  readonly get: (id: string) => Promise<EventSubscription>;
  /**
   * @param projectId the owner, a project or user; undefined: the creating user
   * @param id its id; undefined: a new one
   * @throws InvalidRequest, Forbidden, ProjectNotFound, TooManyEventSubscriptions, refusals of the credential
   */
  readonly create: (
    input: SubscriptionInput,
    projectId: string | undefined,
    user: Principal | undefined,
    id?: string,
  ) => Promise<EventSubscription>;
  /**
   * Replaces everything but the owner.
   * @param ifEtags if not empty, one of them must be its etag
   * @throws InvalidRequest, EventSubscriptionNotFound, Forbidden, ChangedSinceRead, refusals of the credential
   */
  readonly replace: (
    id: string,
    input: SubscriptionInput,
    ifEtags: readonly string[],
    user: Principal | undefined,
  ) => Promise<EventSubscription>;
  /** @throws EventSubscriptionNotFound, Forbidden, ChangedSinceRead */
  readonly remove: (id: string, ifEtags: readonly string[], user: Principal | undefined) => Promise<void>;
  /** A subscription that a user may change. @throws EventSubscriptionNotFound, Forbidden */
  readonly loadOwned: (id: string, user: Principal | undefined) => Promise<EventSubscription>;
}

/** Ports of managing. */
export interface ManagePorts {
  readonly chooseOwner: ChooseOwner;
  readonly sign: SignRequests;
  /** @throws Unavailable where notifications cannot be sent */
  readonly requireSending: () => void;
  /** Called when a subscription has been changed, before its user gets the response. */
  readonly onChanged: (subscriptionId: string) => Promise<void>;
  /** Deletes the notifications of a deleted subscription, in the background. */
  readonly forget: (subscriptionId: string) => void;
  readonly clock: Clock;
}

/** Number of concurrent changes after which a change without a condition gives up. */
const MAX_TRIES = 5;

/** Identifies the state of a subscription. */
export const etagOf = ({ revision }: Pick<EventSubscription, 'revision'>): string => String(revision);

const requireUser = (user: Principal | undefined): Principal => {
  if (user === undefined) throw new Forbidden('Only a user may do this.');
  return user;
};

const checkAllOwners = (
  { role }: Principal,
  ...subscriptions: readonly Pick<EventSubscription, 'allOwners'>[]
): void => {
  if (subscriptions.some(({ allOwners }) => allOwners) && role !== 'owner' && role !== 'admin')
    throw new Forbidden('A subscription for all owners requires the role owner or admin.');
};

const pauseOf = (isPaused: boolean, seen: Pause | undefined, now: Date): { readonly pause?: Pause } =>
  isPaused ? { pause: seen ?? { reason: 'requested', at: now } } : {};

const changed = (subscriptionId: string): ChangedSinceRead => new ChangedSinceRead('subscription', { subscriptionId });

/** @throws ChangedSinceRead */
const checkEtag = (seen: EventSubscription, ifEtags: readonly string[]): void => {
  if (!holdsFor({ etags: ifEtags }, etagOf(seen))) throw changed(seen.id);
};

/** Manages the subscriptions that a caller sees. */
export const createManageSubscriptions = (
  store: ScopedSubscriptions,
  { chooseOwner, sign, requireSending, onChanged, forget, clock }: ManagePorts,
): ManageSubscriptions => {
  const get = async (id: string): Promise<EventSubscription> => {
    const found = isUuid(id) ? await store.find(id) : undefined;
    if (found === undefined) throw new EventSubscriptionNotFound(id);
    return found;
  };
  const loadOwned = async (id: string, user: Principal | undefined): Promise<EventSubscription> => {
    const principal = requireUser(user);
    const found = await get(id);
    if (!mayChange(principal, found.ownerId))
      throw new Forbidden('This subscription belongs to another user.', { subscriptionId: id });
    checkAllOwners(principal, found);
    return found;
  };
  /** Without requests to sign, the credentials service only checks the credential. */
  const checkCredential = async (subscription: EventSubscription): Promise<void> => {
    const { credentialId } = subscription;
    if (credentialId !== undefined) await sign({ ...subscription, credentialId }, []);
  };
  return {
    get,
    loadOwned,
    list: (page) =>
      readPage(ownedBy(page.projectId, { read: store.page, idOf: ({ id }: EventSubscription) => id }), page),
    create: async ({ isPaused, ...settings }, projectId, user, id = uuidv7()) => {
      const principal = requireUser(user);
      checkSettings(settings);
      checkAllOwners(principal, settings);
      requireSending();
      const ownerId = await chooseOwner(principal, projectId);
      const bound = await boundReached(store.count, MAX_SUBSCRIPTIONS, ownerId);
      if (bound !== undefined) throw new TooManyEventSubscriptions(bound);
      const now = new Date(clock());
      const subscription: EventSubscription = {
        ...settings,
        ...pauseOf(isPaused, undefined, now),
        id,
        ownerId,
        revision: 1,
        createdAt: now,
        updatedAt: now,
      };
      await checkCredential(subscription);
      await store.insert(subscription);
      await onChanged(subscription.id);
      return subscription;
    },
    replace: async (id, { isPaused, ...settings }, ifEtags, user) => {
      checkSettings(settings);
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const seen = await loadOwned(id, user);
        checkAllOwners(requireUser(user), settings);
        checkEtag(seen, ifEtags);
        const now = new Date(clock());
        const { ownerId, createdAt, revision, failingSince } = seen;
        const isResumed = seen.pause !== undefined && !isPaused;
        const next: EventSubscription = {
          ...settings,
          ...pauseOf(isPaused, seen.pause, now),
          // Its receiver gets another 24 hours.
          ...(failingSince === undefined || isResumed ? {} : { failingSince }),
          id,
          ownerId,
          createdAt,
          updatedAt: now,
          revision: revision + 1,
        };
        await checkCredential(next);
        if (!(await store.replace(next, revision))) continue;
        await onChanged(id);
        return next;
      }
      throw changed(id);
    },
    remove: async (id, ifEtags, user) => {
      const seen = await loadOwned(id, user);
      checkEtag(seen, ifEtags);
      const isRemoved = await store.remove(id, ifEtags.length === 0 ? undefined : seen.revision);
      if (!isRemoved) {
        await get(id);
        throw changed(id);
      }
      await onChanged(id);
      forget(id);
    },
  };
};
