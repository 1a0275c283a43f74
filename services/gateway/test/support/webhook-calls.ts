import { isJsonObject } from '@weft/service-kit/json';
import type { TestGateway } from './start-gateway';

/** The starts that the executions service has received. */
export const startsOf = ({ executions }: TestGateway): readonly unknown[] =>
  executions
    .callsOf('startExecutions')
    .flatMap(({ request }) => (isJsonObject(request) && Array.isArray(request['starts']) ? request['starts'] : []));

/** The input of the last started run. */
export const inputOf = (gateway: TestGateway): unknown => {
  const start = startsOf(gateway).at(-1);
  return isJsonObject(start) && Buffer.isBuffer(start['input']) ? JSON.parse(start['input'].toString()) : undefined;
};

/** The body sent to the credentials service; undefined if the request has none. */
export const bodyOf = ({ request }: { readonly request: unknown }): string | undefined =>
  isJsonObject(request) && Buffer.isBuffer(request['body']) ? request['body'].toString() : undefined;
