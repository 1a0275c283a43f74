/** The only function that leaves the realm: an operation's name and a string in, a string out. */
export type HostFunction = (operation: string, text: string) => string;

// Saved before any user code runs, which may replace the globals.
const { parse, stringify } = JSON;
let host: HostFunction = () => '{}';

/** Sets the host function. Called once, before anything else. */
export function connectHost(hostFunction: HostFunction): void {
  host = hostFunction;
}

/** Executes an operation of the process around the realm. @throws what the operation throws, by name and message */
export function askHost(operation: string, argument: unknown): unknown {
  const { value, error }: { value?: unknown; error?: { name: string; message: string } } = parse(
    host(operation, stringify(argument)),
  );
  if (error !== undefined) throw asError(error.name, error.message);
  return value;
}

/** Like `askHost`, for an operation that returns text. */
export function askHostForText(operation: string, argument: unknown): string {
  return String(askHost(operation, argument));
}

/** Sends one line to the console. */
export function tellConsole(line: string): void {
  host('log', line);
}

function asError(name: string, message: string): Error {
  if (name === 'RangeError') return new RangeError(message);
  return name === 'TypeError' ? new TypeError(message) : new Error(message);
}
