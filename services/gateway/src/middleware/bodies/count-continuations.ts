import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientCpu } from '../limits/client-cpu';
import { clientAddress, type ProxyTrust } from '../client-origin';
import type { ReadBody } from './read-body';

/** Parts of an ingress after which a request continues later: calls to services, and bodies. */
interface Continued<Clients> extends Pick<ProxyTrust, 'trustProxy'> {
  readonly clients: Clients;
  readonly readBody: ReadBody;
}

/** The same parts, with the work that follows them counted for the client of the request. */
export const countingFor = <Clients extends object>(
  cpu: ClientCpu,
  { clients, readBody, trustProxy }: Continued<Clients>,
): Pick<Continued<Clients>, 'clients' | 'readBody'> => {
  const counted = Object.assign(
    <Result>(
      request: IncomingMessage,
      response: ServerResponse,
      use: (body: Buffer) => Promise<Result>,
      maxBytes?: number,
    ): Promise<Result> =>
      readBody(
        request,
        response,
        (body) => {
          cpu.begin(clientAddress(request, { trustProxy }));
          return use(body);
        },
        maxBytes,
      ),
    { hold: readBody.hold },
  );
  return { clients: countingCalls(cpu, clients), readBody: counted };
};

const countingCalls = <Holder extends object>(cpu: ClientCpu, holder: Holder): Holder => {
  const members = new Map<PropertyKey, unknown>();
  return new Proxy(holder, {
    get: (target, key) => {
      const known = members.get(key);
      if (known !== undefined) return known;
      const made = counting(cpu, target, Reflect.get(target, key));
      members.set(key, made);
      return made;
    },
  });
};

const counting = (cpu: ClientCpu, self: object, member: unknown): unknown => {
  if (typeof member === 'object' && member !== null) return countingCalls(cpu, member);
  if (typeof member !== 'function') return member;
  return (...args: readonly unknown[]): unknown => {
    const result: unknown = Reflect.apply(member, self, args);
    return result instanceof Promise ? result.finally(() => cpu.resume()) : result;
  };
};
