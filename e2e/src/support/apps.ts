/** An app with one kind, which has one operation. @param url of its service */
export const smallApp = (name: string, kind: string, url = 'https://service.invalid'): object => ({
  weftApp: 1,
  name,
  label: name,
  hosts: [new URL(url).hostname],
  credentials: {},
  calls: { api: { url: url.startsWith('https:') ? url : `={{ ${JSON.stringify(url)} }}` } },
  kinds: {
    [kind]: {
      label: name,
      description: 'Reads the service.',
      versions: [1],
      groups: ['input'],
      parameters: [],
      operations: { default: { call: 'api', path: '/' } },
    },
  },
});
