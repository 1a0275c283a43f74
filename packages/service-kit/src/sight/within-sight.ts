import type { Principal } from '../auth';
import type { Sight, Sights } from './sight';

/** The way to the use cases of what users and projects own. */
export interface Within<UseCases> {
  readonly sights: Sights;
  /** The use cases for callers who see so much. */
  readonly within: (sight: Sight) => UseCases;
}

/** Use cases that are made once for each sight. */
export const onceForEach = <UseCases>(make: (sight: Sight) => UseCases): ((sight: Sight) => UseCases) => {
  const made = new WeakMap<Sight, UseCases>();
  return function within(sight) {
    const useCases = made.get(sight) ?? make(sight);
    made.set(sight, useCases);
    return useCases;
  };
};

/** The use cases for the caller of a method: they get nothing of what it does not see. @throws Unavailable */
export const seenBy = async <UseCases>(
  { sights, within }: Within<UseCases>,
  { principal }: { readonly principal: Principal | undefined },
): Promise<UseCases> => within(await sights.ofUser(principal));
