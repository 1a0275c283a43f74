export { clientBlock } from './client-block';
export { isPermitted, mayChange, roleOf, ROLE_PERMISSIONS, type Permission, type Principal, type Role } from './roles';
export {
  createTokenSigner,
  createTokenVerifier,
  type ServiceCaller,
  type TokenSigner,
  type TokenVerifier,
} from './service-token';
export { readUserProof, type UserProof } from './user-proof';
export {
  createVerifyUser,
  rateLimitExceeded,
  type AskVerification,
  type CountedUser,
  type Verification,
  type VerifiedUser,
  type VerifyUser,
} from './verify-user';
