export { clientBlock } from './client-block';
export {
  isPermitted,
  mayChange,
  mayDo,
  permissionsOf,
  projectsOf,
  roleOf,
  ROLE_PERMISSIONS,
  scopeOf,
  SCOPES,
  type Permission,
  type Principal,
  type Role,
  type Scope,
} from './roles';
export {
  createTokenSigner,
  createTokenVerifier,
  type ServiceCaller,
  type TokenSigner,
  type TokenVerifier,
} from './service-token';
export { createFailureLimit, type FailureLimit } from './failure-limit';
export { readUserProof, type UserProof } from './user-proof';
export {
  createCountingVerifier,
  createVerifyUser,
  principalOf,
  rateLimitExceeded,
  type AskVerification,
  type CountedUser,
  type Verification,
  type VerifiedUser,
  type VerifyUser,
} from './verify-user';
