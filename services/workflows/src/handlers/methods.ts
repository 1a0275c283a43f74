import type { WorkflowServiceService } from '@weft/proto/workflows';
import type { Handlers } from '@weft/service-kit/grpc';

/** The methods of WorkflowService, each with its messages. */
export type Methods = Handlers<typeof WorkflowServiceService>;
