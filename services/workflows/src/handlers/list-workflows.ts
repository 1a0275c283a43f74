import type { ListWorkflows } from '../domain/list-workflows';
import type { Methods } from './methods';

/** ListWorkflows over gRPC. */
export const handleListWorkflows =
  (list: ListWorkflows): Methods['listWorkflows'] =>
  ({ limit, cursor }) =>
    list(limit, cursor);
