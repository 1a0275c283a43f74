export { connectUserVerifier, roleNameOf, verificationBy, type UserVerifier } from './verify-api-key';
