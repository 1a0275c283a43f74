import type { ProbeServiceService } from '@weft/proto/probes';
import type { AccessRule } from '@weft/service-kit/grpc';

/** Access to ProbeService. No user calls a runner: it could not tell who they are. */
export const PROBE_ACCESS: Readonly<Record<keyof typeof ProbeServiceService, AccessRule>> = {
  probeCredential: { services: ['credentials'] },
};
