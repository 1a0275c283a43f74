export { connectClosedProjects, type ClosedProjectsClient } from './connect-closed-projects';
export { connectUserVerifier, roleNameOf, verificationBy, type UserVerifier } from './verify-api-key';
