import { Forbidden, Unauthorized } from '../errors';
import {
  isPermitted,
  rateLimitExceeded,
  readUserProof,
  type Permission,
  type TokenVerifier,
  type VerifyUser,
} from '../auth';
import type { Metadata } from '@grpc/grpc-js';
import type { CallContext } from './types';

/** Who may call a method. What is not named is refused. */
export interface AccessRule {
  /** Users with this permission, themselves or through a service that may speak for users. */
  readonly users?: Permission;
  /** Services that may call for themselves. */
  readonly services?: readonly string[];
}

/** How callers are told apart. */
export interface Authentication {
  readonly verifyToken: TokenVerifier;
  readonly verifyUser: VerifyUser;
  /** Services that may speak for users. */
  readonly trustedCallers: readonly string[];
}

/** Who calls. */
export type Identity = Pick<CallContext, 'service' | 'principal'>;

const first = (metadata: Metadata, key: string): string | undefined => {
  const value = metadata.get(key)[0];
  return typeof value === 'string' ? value : undefined;
};

/** Finds out who calls. @throws Unauthorized, RateLimitExceeded */
export const authenticate = async (
  metadata: Metadata,
  { verifyToken, verifyUser, trustedCallers }: Authentication,
): Promise<Identity> => {
  const token = first(metadata, 'x-weft-service-token');
  if (token !== undefined) {
    const { service, principal } = verifyToken(token);
    if (principal !== undefined && !trustedCallers.includes(service))
      throw new Forbidden(`The ${service} service may not speak for users.`);
    return { service, principal };
  }
  const proof = readUserProof(first(metadata, 'x-svc-api-key'), first(metadata, 'authorization'));
  if (proof === undefined) throw new Unauthorized();
  const user = await verifyUser(proof);
  if (!user.isGranted) throw rateLimitExceeded(user);
  return { service: undefined, principal: { userId: user.userId, role: user.role } };
};

/** Checks a caller against a rule. @throws Forbidden */
export const authorise = ({ service, principal }: Identity, rule: AccessRule): void => {
  if (principal !== undefined) {
    if (rule.users !== undefined && isPermitted(principal.role, rule.users)) return;
    throw new Forbidden(`The role ${principal.role} may not do this.`);
  }
  if (service !== undefined && rule.services?.includes(service) === true) return;
  throw new Forbidden(`The ${service ?? 'unknown'} service may not call this for itself.`);
};
