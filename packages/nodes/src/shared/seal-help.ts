/** What to do about a runner that refuses code and parsers of untrusted data. */
export const SEAL_HELP =
  'Run the runner on Linux (x64 or arm64), where its container runtime lets it install seccomp filters. ' +
  'The log of the runner says at its start what is missing.';
