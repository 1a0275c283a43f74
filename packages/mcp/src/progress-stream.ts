/** Reports that wait for a slow client; older ones are dropped, because newer ones replace them. */
const MAX_WAITING = 20;
/** Silence after which a comment is sent, so that proxies keep the connection open. */
const KEEP_ALIVE_MS = 10_000;
const COMMENT = ':\n\n';

/** The response to one request as Server-Sent Events. */
export interface ProgressStream {
  /** Resolves with undefined at the first report, or after a silence. */
  readonly begun: Promise<undefined>;
  readonly push: (message: string) => void;
  /** Sends the response, and ends the stream. */
  readonly end: (response: string) => void;
  /** Can be read once. */
  readonly parts: () => AsyncGenerator<string>;
}

const eventText = (message: string): string => `event: message\ndata: ${message}\n\n`;

export const createProgressStream = (): ProgressStream => {
  const waiting: string[] = [];
  let response: string | undefined;
  let wake = (): void => undefined;
  let begin = (): void => undefined;
  const begun = new Promise<undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), KEEP_ALIVE_MS);
    timer.unref();
    begin = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
  });
  const untilWoken = (): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), KEEP_ALIVE_MS);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  return {
    begun,
    push: (message) => {
      if (response !== undefined) return;
      waiting.push(message);
      if (waiting.length > MAX_WAITING) waiting.shift();
      begin();
      wake();
    },
    end: (text) => {
      response = text;
      begin();
      wake();
    },
    parts: async function* () {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield eventText(next);
        else if (response !== undefined) return yield eventText(response);
        else if (!(await untilWoken())) yield COMMENT;
      }
    },
  };
};
