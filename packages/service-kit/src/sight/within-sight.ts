import type { Principal } from '../auth';
import type { Sight, Sights } from './sight';

/** Gives access to use cases on objects that have owners. */
export interface Within<UseCases> {
  readonly sights: Sights;
  /** The use cases limited to a visibility scope. */
  readonly within: (sight: Sight) => UseCases;
}

/** Caches use cases by visibility scope. */
export const onceForEach = <UseCases>(make: (sight: Sight) => UseCases): ((sight: Sight) => UseCases) => {
  const made = new WeakMap<Sight, UseCases>();
  return function within(sight) {
    const useCases = made.get(sight) ?? make(sight);
    made.set(sight, useCases);
    return useCases;
  };
};

/** The use cases for the caller of a method, limited to what it may see. @throws Unavailable */
export const seenBy = async <UseCases>(
  { sights, within }: Within<UseCases>,
  { principal }: { readonly principal: Principal | undefined },
): Promise<UseCases> => within(await sights.ofUser(principal));
