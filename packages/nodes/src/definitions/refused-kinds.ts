/** Kinds of n8n that stay unknown by decision, with what to do instead. */
export const REFUSED_KINDS: Readonly<Record<string, string>> = {
  executeCommand:
    'No node runs commands on the host of the service: run them on another machine with an "ssh" node, or write ' +
    'JavaScript into a "code" node.',
  localFileTrigger:
    'No node touches the disk of the host: files of a workflow are read and written with "readWriteFile".',
};
