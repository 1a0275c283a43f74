import type { Principal } from '../auth';
import type { VisibilityScope, VisibilityScopes } from './visibility-scope';

/** Gives access to use cases on objects that have owners. */
export interface Within<UseCases> {
  readonly scopes: VisibilityScopes;
  /** The use cases limited to a visibility scope. */
  readonly within: (scope: VisibilityScope) => UseCases;
}

/** Caches use cases by visibility scope. */
export const onceForEach = <UseCases>(
  make: (scope: VisibilityScope) => UseCases,
): ((scope: VisibilityScope) => UseCases) => {
  const made = new WeakMap<VisibilityScope, UseCases>();
  return function within(scope) {
    const useCases = made.get(scope) ?? make(scope);
    made.set(scope, useCases);
    return useCases;
  };
};

/** The use cases for the caller of a method, limited to what it may see. @throws Unavailable */
export const scopedTo = async <UseCases>(
  { scopes, within }: Within<UseCases>,
  { principal }: { readonly principal: Principal | undefined },
): Promise<UseCases> => within(await scopes.ofUser(principal));
