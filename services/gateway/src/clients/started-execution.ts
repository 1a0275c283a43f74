import { currentContext, type RequestContext } from '@weft/service-kit/context';

const started = new WeakMap<RequestContext, string>();

/** Notes which execution the running request has started, or may have: an error that comes after that names it. */
export const noteStarted = (executionId: string): void => {
  const context = currentContext();
  if (context !== undefined) started.set(context, executionId);
};

/** The start was refused: there is nothing to name. */
export const noteRefused = (): void => {
  const context = currentContext();
  if (context !== undefined) started.delete(context);
};

/** The execution that the running request has started, or may have; undefined if there is none. */
export const startedByRequest = (): string | undefined => {
  const context = currentContext();
  return context === undefined ? undefined : started.get(context);
};
