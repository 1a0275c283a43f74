export { connectUserVerifier, projectsOf, roleNameOf, verificationBy, type UserVerifier } from './verify-api-key';
