import type { StateServiceService } from '@weft/proto/workflow-state';
import type { AccessRule, Handlers } from '@weft/service-kit/grpc';

/** The methods of StateService, each with its messages. */
export type StateMethods = Handlers<typeof StateServiceService>;

const RUNNER: AccessRule = { services: ['runner'] };

/** Who may call StateService. */
export const STATE_ACCESS: Readonly<Record<keyof StateMethods, AccessRule>> = { getState: RUNNER, putState: RUNNER };
