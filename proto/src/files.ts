import { join } from 'node:path';

/** Folder that the imports of the .proto files start from. */
export const PROTO_ROOT = join(__dirname, '..', '..');

/** The contract's own files, relative to PROTO_ROOT. */
export const PROTO_FILES: readonly string[] = [
  'weft/workflows/v1/workflow_service.proto',
  'weft/executions/v1/execution_service.proto',
  'weft/runner/v1/runner_service.proto',
  'weft/credentials/v1/credential_service.proto',
  'weft/credentials/v1/identity_service.proto',
  'grpc/health/v1/health.proto',
];
