import { VariableServiceService, type Variable } from '@weft/proto/variables';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

const write = { users: 'workflows:write' as const };
const access = {
  listVariables: { users: 'workflows:read' as const },
  getVariable: { users: 'workflows:read' as const },
  createVariable: write,
  replaceVariable: write,
  deleteVariable: write,
  readVariables: { services: ['runner'] },
};

/** The variables of the workflows service, in memory. */
export const fakeVariables = () => {
  const fake = createFake();
  const stored = new Map<string, Variable>();
  let made = 0;
  const find = (id: string): Variable => {
    const variable = stored.get(id);
    if (variable === undefined)
      throw new ServiceError({
        reason: 'VARIABLE_NOT_FOUND',
        kind: 'not-found',
        message: `No variable has the id ${id}.`,
        details: { variableId: id },
      });
    return variable;
  };
  const keep = (variable: Variable): Variable => {
    const tagged = { ...variable, etag: `e-${variable.value}` };
    stored.set(variable.id, tagged);
    return tagged;
  };
  const handlers: Handlers<typeof VariableServiceService> = {
    listVariables: (request, context) =>
      fake.act('listVariables', request, context, () => {
        const all = [...stored.values()];
        const from = request.cursor === '' ? 0 : Number(request.cursor);
        const limit = request.limit === 0 ? 20 : request.limit;
        return {
          variables: all.slice(from, from + limit),
          nextCursor: from + limit < all.length ? String(from + limit) : '',
        };
      }),
    createVariable: (request, context) =>
      fake.act('createVariable', request, context, () => {
        made += 1;
        const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
        return {
          variable: keep({
            id: `var${made}`,
            key: request.key,
            value: request.value,
            ownerId: context.principal?.userId ?? '',
            createdAt: at,
            updatedAt: at,
          }),
        };
      }),
    getVariable: (request, context) =>
      fake.act('getVariable', request, context, () => ({ variable: find(request.variableId) })),
    replaceVariable: (request, context) =>
      fake.act('replaceVariable', request, context, () => ({
        variable: keep({ ...find(request.variableId), key: request.key, value: request.value }),
      })),
    deleteVariable: (request, context) =>
      fake.act('deleteVariable', request, context, () => {
        stored.delete(find(request.variableId).id);
        return {};
      }),
    readVariables: (request, context) => fake.act('readVariables', request, context, () => ({ values: {} })),
  };
  return { ...fake, stored, bound: bindService(VariableServiceService, handlers, access) };
};
