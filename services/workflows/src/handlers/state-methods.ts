import type { StateServiceService } from '@weft/proto/workflow-state';
import type { Handlers } from '@weft/service-kit/grpc';

/** The methods of StateService, each with its messages. */
export type StateMethods = Handlers<typeof StateServiceService>;
