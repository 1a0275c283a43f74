/* Generated from packages/apps by `npm run apps:gen`. Do not edit. */
/** An app of the build. */
export interface AppEntry {
  readonly name: string;
  readonly kinds: readonly string[];
  /** Of its canonical JSON. */
  readonly digest: string;
}

/** All apps of the build. */
export const APPS: readonly AppEntry[] = [
  {
    name: 'discord',
    kinds: ['discord'],
    digest: 'sha256:41b6fd3f1d12448764d445153f3582c77193cb5d17eae1314f01e1524a045b0d',
  },
  {
    name: 'mattermost',
    kinds: ['mattermost'],
    digest: 'sha256:5d0c925fe833e7113db2464ed5a838e42d9e340459528a7334b7c9e02f203250',
  },
  {
    name: 'slack',
    kinds: ['slack'],
    digest: 'sha256:d904c521c9b621d4843057df5b121f2df0c24b7ad0f7a3d73a844d02a9a5d704',
  },
  {
    name: 'telegram',
    kinds: ['telegram'],
    digest: 'sha256:a5adc95a8dcc90ed27377b30c28aaec654d5d97e7c2f38e89540967b6a1c63cd',
  },
  {
    name: 'twilio',
    kinds: ['twilio'],
    digest: 'sha256:25817b2a95b7088420b01860a95e3e9c836f90e8776606095e9ea0c644362cad',
  },
  {
    name: 'whatsapp',
    kinds: ['whatsApp'],
    digest: 'sha256:315425312a200c0efddb39a643ba9825faffe59bee63a89c4d6285db58331efd',
  },
];
