import type { NotificationServiceService } from '@weft/proto/notifications';
import type { ProbeServiceService } from '@weft/proto/probes';
import type { AccessRule } from '@weft/service-kit/grpc';

/** Access to ProbeService. Users cannot call a runner, which cannot authenticate them. */
export const PROBE_ACCESS: Readonly<Record<keyof typeof ProbeServiceService, AccessRule>> = {
  probeCredential: { services: ['credentials'] },
  listOptions: { services: ['credentials'] },
  requestTokens: { services: ['credentials'] },
  requestHook: { services: ['credentials'] },
};

/** Access to NotificationService. */
export const NOTIFICATION_ACCESS: Readonly<Record<keyof typeof NotificationServiceService, AccessRule>> = {
  sendNotification: { services: ['executions'] },
};
