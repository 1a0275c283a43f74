import { Forbidden, Unauthorized, type ServiceError } from '../../errors';
import {
  isPermitted,
  mayDo,
  principalOf,
  rateLimitExceeded,
  readUserProof,
  type CountedUser,
  type Permission,
  type Principal,
  type TokenVerifier,
  type VerifyUser,
} from '../../auth';
import type { Metadata } from '@grpc/grpc-js';
import type { CallContext } from '../types';

/** Permitted callers of a method; all others are refused. */
export interface AccessRule {
  /** Users with this permission, or all users; directly or through a trusted caller. */
  readonly users?: Permission | 'all';
  /** Services that may call on their own behalf. */
  readonly services?: readonly string[];
}

/** Authentication of callers. */
export interface Authentication {
  readonly verifyToken: TokenVerifier;
  readonly verifyUser: VerifyUser;
  /** Services that may act for users. */
  readonly trustedCallers: readonly string[];
  /** Called before a user learns of a refused call. Never rejects. */
  readonly onRefused?: (refused: RefusedCall) => Promise<void>;
}

/** Authenticated caller. */
export type Identity = Pick<CallContext, 'service' | 'principal'>;

const first = (metadata: Metadata, key: string): string | undefined => {
  const value = metadata.get(key)[0];
  return typeof value === 'string' ? value : undefined;
};

/** Address of a caller without its port. @param peer as reported by gRPC: `192.0.2.7:4711` or `[2001:db8::7]:4711`. */
export const addressOf = (peer: string): string => peer.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

/** A call of a user that was refused for lack of rights. */
export interface RefusedCall {
  readonly principal: Principal;
  /** Path of the method. */
  readonly method: string;
  readonly error: ServiceError;
}

/** Reports a call that failed, if a user was refused it. Never rejects. */
export const reportRefusal = async (
  { onRefused }: Pick<Authentication, 'onRefused'>,
  principal: Principal | undefined,
  method: string,
  error: ServiceError,
): Promise<void> => {
  if (principal !== undefined && error.kind === 'forbidden') await onRefused?.({ principal, method, error });
};

/**
 * Authenticates a service by the token of its call.
 * @param method path of the called method
 * @throws Unauthorized, Forbidden
 */
export const authenticateService = (
  token: string,
  method: string,
  { verifyToken, trustedCallers }: Pick<Authentication, 'verifyToken' | 'trustedCallers'>,
): Identity & { readonly service: string } => {
  const { service, principal } = verifyToken(token, method);
  if (principal !== undefined && !trustedCallers.includes(service))
    throw new Forbidden(`The ${service} service may not act for users.`);
  return { service, principal };
};

/**
 * Authenticates a caller by the metadata of its call.
 * @param method path of the called method
 * @param peer address and port of the caller
 * @param onCounted called with a user and the state of its limit, also if the limit is exceeded
 * @throws Unauthorized, RateLimitExceeded
 */
export const authenticate = async (
  metadata: Metadata,
  method: string,
  peer: string,
  authentication: Authentication,
  onCounted?: (user: CountedUser) => void,
): Promise<Identity> => {
  const token = first(metadata, 'x-weft-service-token');
  if (token !== undefined) return authenticateService(token, method, authentication);
  const proof = readUserProof(first(metadata, 'x-svc-api-key'), first(metadata, 'authorization'), addressOf(peer));
  if (proof === undefined) throw new Unauthorized();
  const user = await authentication.verifyUser(proof);
  onCounted?.(user);
  if (!user.isGranted) throw rateLimitExceeded(user);
  return { service: undefined, principal: principalOf(user) };
};

/** Authorises a caller by a rule. @throws Forbidden */
export const authorise = ({ service, principal }: Identity, rule: AccessRule): void => {
  if (principal !== undefined) {
    if (rule.users === undefined) throw new Forbidden('Only services may call this.');
    if (rule.users === 'all' || mayDo(principal, rule.users)) return;
    throw new Forbidden(
      isPermitted(principal.role, rule.users)
        ? `The API key is limited to ${principal.scopes?.join(', ')}; this needs ${rule.users}.`
        : `The role ${principal.role} may not do this.`,
    );
  }
  if (service !== undefined && rule.services?.includes(service) === true) return;
  throw new Forbidden(`The ${service ?? 'unknown'} service may not call this on its own behalf.`);
};
