import type { Principal } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { CallContext } from '@weft/service-kit/grpc';

/** The user on whose behalf a method that is for users is called. @throws Unauthorized if there is none */
export const principalOf = ({ principal }: CallContext): Principal => {
  if (principal === undefined) throw new Unauthorized();
  return principal;
};
