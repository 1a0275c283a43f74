/** Advice for a runner that cannot seal the processes for code and untrusted data. */
export const SEAL_HELP =
  'Run the runner on Linux (x64 or arm64), where its container runtime lets it install seccomp filters. ' +
  'The runner logs what is missing at startup.';
