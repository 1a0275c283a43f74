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
  {
    name: 'clickup',
    kinds: ['clickUp'],
    digest: 'sha256:73980302aeaa8412826ec9d4a005b9f263a68272c3a779da54116c6dfce810df',
  },
  { name: 'coda', kinds: ['coda'], digest: 'sha256:a752332e4b9b04e4260e96902847bc066321f5420b02d463f4f3a81af5a30864' },
  {
    name: 'discord',
    kinds: ['discord'],
    digest: 'sha256:c52030d08fa55c89bf6cda43e4b08d8f17253403f289f5577c7ed28d97b8a1b0',
  },
  {
    name: 'github',
    kinds: ['github', 'githubTrigger'],
    digest: 'sha256:edc20b1e9e5a946be38bbc36a535ac6213923b45897c64d32adc32dc9cc3d38a',
  },
  {
    name: 'gmail',
    kinds: ['gmail'],
    digest: 'sha256:b350be5a624c0a9394742d0b05257c61c4352bc3f9f37b0ef22fa6d4aea74bff',
  },
  {
    name: 'gmail-trigger',
    kinds: ['gmailTrigger'],
    digest: 'sha256:a01b3af7a6e096f863b38fe765816907d01b6e4ab4508e4dbe5e299d710c37bc',
  },
  {
    name: 'google-calendar',
    kinds: ['googleCalendar'],
    digest: 'sha256:40d69fa96a37d7b04e0d923012adf47cddeea49906504da2df8537738d8669bd',
  },
  {
    name: 'google-calendar-trigger',
    kinds: ['googleCalendarTrigger'],
    digest: 'sha256:8f0637196cf27610ba7af07ff8aa0d751e3c51af79a612d17fa74f3b9029513a',
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
    name: 'google-drive-trigger',
    kinds: ['googleDriveTrigger'],
    digest: 'sha256:f54aa1b5e9b41787ad9be4275e1fdd3fda118b62a688d914f9d72fd98fd58611',
  },
  {
    name: 'google-sheets',
    kinds: ['googleSheets', 'googleSheetsTrigger'],
    digest: 'sha256:dab1a510e73eeb15d7c56b389b834916397e9d94cd10dab861a06f2266c2ca19',
  },
  {
    name: 'hubspot',
    kinds: ['hubspot'],
    digest: 'sha256:73b197e2f69daacd9dfd968ca6f95d1f3c86ec67aa08206f9bc1cbb94a9096c0',
  },
  { name: 'jira', kinds: ['jira'], digest: 'sha256:6eb6ace8f7f3c61b104191756aea029aa18e45787a90e6c14215b52c54da36c1' },
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
    digest: 'sha256:97632ee9d616288067e42dfaa61eb45f6ca86532639d529dfd50d908f2468afc',
  },
  {
    name: 'slack',
    kinds: ['slack', 'slackTrigger'],
    digest: 'sha256:faa1e2d1b5b0c2c328457ce800c8b9e78f7584cff5a7e52713596f381a94eaf7',
  },
  {
    name: 'supabase',
    kinds: ['supabase'],
    digest: 'sha256:3c323997210021576636637d39df5906aad6bc64e822c1eead9cfe1ff337bd43',
  },
  {
    name: 'telegram',
    kinds: ['telegram', 'telegramTrigger'],
    digest: 'sha256:f65554ece6bc021ab8dc9f836c99c47c465ed5e5174aaa2c7dce63affd9402d5',
  },
  {
    name: 'twilio',
    kinds: ['twilio', 'twilioTrigger'],
    digest: 'sha256:5193adee2d4b8785b289dc0ddcda362d270ffc56b8b2418733694abf61d23bd7',
  },
  {
    name: 'whatsapp',
    kinds: ['whatsApp', 'whatsAppTrigger'],
    digest: 'sha256:d3f13ef46a3cf61fe3105b7c09f2db12e3ef88b6ae388b5708228c5ff71024b5',
  },
  {
    name: 'wordpress',
    kinds: ['wordpress'],
    digest: 'sha256:a9c3bda9ef66418f127633844e766549ec51b8c0c16e2306a48e1ade7b28cb33',
  },
];
