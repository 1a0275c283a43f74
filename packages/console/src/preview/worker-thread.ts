import type { FromWorker, WorkerThread } from '@weft/engine/preview/session';

/** Address of the worker's script, set by the build. */
declare const PREVIEW_WORKER: string;

interface ScriptPolicy {
  readonly createScriptURL: (url: string) => string;
}
interface PolicyFactory {
  readonly createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy;
}
declare global {
  interface Window {
    /** Absent in browsers without trusted types. */
    readonly trustedTypes?: PolicyFactory;
  }
}

let policy: ScriptPolicy | undefined;

/** The address as the browser accepts it. The policy is made once: a page may not make one of the same name again. */
const trustedAddress = (): string => {
  policy ??= window.trustedTypes?.createPolicy('weft-worker', {
    createScriptURL: (url) => {
      if (url !== PREVIEW_WORKER) throw new TypeError(`Not a worker of this page: ${url}`);
      return url;
    },
  });
  return policy?.createScriptURL(PREVIEW_WORKER) ?? PREVIEW_WORKER;
};

/** Starts a worker. @param fail is called if its script cannot be loaded */
export const startWorker = (receive: (message: FromWorker) => void, fail: () => void): WorkerThread => {
  const worker = new Worker(trustedAddress());
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => receive(data));
  worker.addEventListener('error', fail);
  return { post: (message) => worker.postMessage(message), stop: () => worker.terminate() };
};
