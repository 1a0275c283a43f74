/** A command line of this machine. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Turns a program of an unpacked tree, named by its path there, and its arguments into a command line. */
export type InTree = (program: string, ...args: string[]) => CommandLine;
