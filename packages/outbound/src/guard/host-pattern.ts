/** A host, or all hosts below a suffix, with or without one port. */
export interface HostPattern {
  /** Lower case, without a trailing dot; for a suffix pattern the part after `*.`. */
  readonly host: string;
  readonly isSuffix: boolean;
  /** Undefined: any port. */
  readonly port: number | undefined;
}

const PATTERN = /^(\*\.)?([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)\.?(?::(\d{1,5}))?$/;

/** The form in which host names are compared: lower case, without the dot that marks a name as complete. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** Reads `host`, `*.suffix`, `host:port` or `*.suffix:port`; undefined for any other text. */
export function parseHostPattern(text: string): HostPattern | undefined {
  const match = PATTERN.exec(text.trim().toLowerCase());
  const host = match?.[2];
  if (match === null || host === undefined) return undefined;
  const port = match[3] === undefined ? undefined : Number(match[3]);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  return { host, isSuffix: match[1] !== undefined, port };
}

/** True if the pattern covers this host and port. A suffix covers names below it, on label boundaries, not itself. */
export function coversHost(pattern: HostPattern, host: string, port: number): boolean {
  if (pattern.port !== undefined && pattern.port !== port) return false;
  const name = plainHost(host);
  return pattern.isSuffix ? name.endsWith(`.${pattern.host}`) : name === pattern.host;
}

const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i;

/**
 * True for a valid host name of the domain name system. A proxy might misread anything else, such as a host with a
 * port.
 */
export const isHostName = (host: string): boolean => NAME.test(host);
