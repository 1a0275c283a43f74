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
    name: 'airtable',
    kinds: ['airtable'],
    digest: 'sha256:86f8a1bb363978202c05df1610e290d5fa43017b4462eef801832b36d3664a23',
  },
  {
    name: 'baserow',
    kinds: ['baserow'],
    digest: 'sha256:546f6208f92a97d39d401c57b6c607aa7a60f6281800cd716c6257926f759124',
  },
  { name: 'coda', kinds: ['coda'], digest: 'sha256:a752332e4b9b04e4260e96902847bc066321f5420b02d463f4f3a81af5a30864' },
  {
    name: 'discord',
    kinds: ['discord'],
    digest: 'sha256:c52030d08fa55c89bf6cda43e4b08d8f17253403f289f5577c7ed28d97b8a1b0',
  },
  {
    name: 'gmail',
    kinds: ['gmail'],
    digest: 'sha256:b350be5a624c0a9394742d0b05257c61c4352bc3f9f37b0ef22fa6d4aea74bff',
  },
  {
    name: 'google-calendar',
    kinds: ['googleCalendar'],
    digest: 'sha256:40d69fa96a37d7b04e0d923012adf47cddeea49906504da2df8537738d8669bd',
  },
  {
    name: 'google-docs',
    kinds: ['googleDocs'],
    digest: 'sha256:db626062dc4e21f6d73ed99b058f235c2dfb161b11c0587fe19fa9cedc12b3e0',
  },
  {
    name: 'google-drive',
    kinds: ['googleDrive'],
    digest: 'sha256:d5922071af1d035009087e3a1ff56a36604884da0b8aa31d824446d200b300be',
  },
  {
    name: 'google-sheets',
    kinds: ['googleSheets'],
    digest: 'sha256:8b11c6f61be987cf6d726788614a80abc5e053ec68a6f10d6eec12f7a3722bb6',
  },
  {
    name: 'mattermost',
    kinds: ['mattermost'],
    digest: 'sha256:5d0c925fe833e7113db2464ed5a838e42d9e340459528a7334b7c9e02f203250',
  },
  {
    name: 'nocodb',
    kinds: ['nocoDb'],
    digest: 'sha256:c4ffdea8ec07f5a9c7999f100eb074f461805dbf9acdde4c52c67ba9082dfa38',
  },
  {
    name: 'notion',
    kinds: ['notion'],
    digest: 'sha256:ca2e56a119f6aabe8ae651ed117e7eecdd54d3bf9b0995377626be969db114a6',
  },
  {
    name: 'slack',
    kinds: ['slack'],
    digest: 'sha256:1eca218803f084917827ccf1bbfdb7564d3c94ff49d02cba5ee35d881a7ed124',
  },
  {
    name: 'supabase',
    kinds: ['supabase'],
    digest: 'sha256:3c323997210021576636637d39df5906aad6bc64e822c1eead9cfe1ff337bd43',
  },
  {
    name: 'telegram',
    kinds: ['telegram'],
    digest: 'sha256:730d369b469910300bba46499603e5f536a28cb384de118df38dc49a4949d753',
  },
  {
    name: 'twilio',
    kinds: ['twilio'],
    digest: 'sha256:25817b2a95b7088420b01860a95e3e9c836f90e8776606095e9ea0c644362cad',
  },
  {
    name: 'whatsapp',
    kinds: ['whatsApp'],
    digest: 'sha256:ba280414abe07789123313d78ac1d4a28d4101d9a3001b3a329124162c30d26a',
  },
];
