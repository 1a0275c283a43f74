/** Kinds of n8n that are unsupported by decision, with the alternative. */
export const REFUSED_KINDS: Readonly<Record<string, string>> = {
  executeCommand:
    'No node runs commands on the host of the service: run them on another machine with an "ssh" node, or write ' +
    'JavaScript in a "code" node.',
  localFileTrigger: 'No node touches the disk of the host: read and write files of the workflow with "readWriteFile".',
};
