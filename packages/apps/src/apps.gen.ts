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
    kinds: ['airtable', 'airtableTrigger'],
    digest: 'sha256:430ff3b181d9a89738f45b0c3bce749cf3ddab712fa9cb888a668f748e7e8cd7',
  },
  {
    name: 'baserow',
    kinds: ['baserow'],
    digest: 'sha256:546f6208f92a97d39d401c57b6c607aa7a60f6281800cd716c6257926f759124',
  },
  {
    name: 'clickup',
    kinds: ['clickUp', 'clickUpTrigger'],
    digest: 'sha256:12bbe7470b488de9b455dcc4b1f4be973f0f5e540a6868fd493ad5ef1ca3fb0e',
  },
  { name: 'coda', kinds: ['coda'], digest: 'sha256:a752332e4b9b04e4260e96902847bc066321f5420b02d463f4f3a81af5a30864' },
  {
    name: 'discord',
    kinds: ['discord'],
    digest: 'sha256:ba5cff2792f021f988a851022f43749c624b7aa4b291d40ab305a9afd576ecbd',
  },
  {
    name: 'facebook',
    kinds: ['facebookGraphApi'],
    digest: 'sha256:067804eed7d88b083237e0113f007ed0a357614caeefc9d3e6294cd5dbcb58d2',
  },
  {
    name: 'github',
    kinds: ['github', 'githubTrigger'],
    digest: 'sha256:15bd5af8731dbc51e126ed7bc69b48be746b34d23c3980865e3556c19dfc9a9a',
  },
  {
    name: 'gmail',
    kinds: ['gmail'],
    digest: 'sha256:fce5f2d6e454530e61ef5f2fd28609b7f88ee33938a78476200936c0ae66a613',
  },
  {
    name: 'gmail-trigger',
    kinds: ['gmailTrigger'],
    digest: 'sha256:746ffb46edd1af90196c7cbdb2cd909271c3eaab2b0a5c006c891bb3aed50c20',
  },
  {
    name: 'google-analytics',
    kinds: ['googleAnalytics'],
    digest: 'sha256:271ba9d429ac99667593b9feaccc00546f5f605a250c4ff4446d67a22deb1360',
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
    name: 'google-contacts',
    kinds: ['googleContacts'],
    digest: 'sha256:8a149d813e0ac9db26dab685eb88dab56a5a05413e67b6030520a5ba94a83c5b',
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
    digest: 'sha256:5544ce2fa35960d043c97b67ffd50ad675af72b6959bb82e45769e6fd2529e1e',
  },
  {
    name: 'google-slides',
    kinds: ['googleSlides'],
    digest: 'sha256:9e5568c4a802998666b1b37a3fa83681633761dfe077adc93767047a902f95eb',
  },
  {
    name: 'google-tasks',
    kinds: ['googleTasks'],
    digest: 'sha256:54ad7ae363b641ed053dcc74a3342f8514e4958027140445418cbb30f4216af9',
  },
  {
    name: 'hubspot',
    kinds: ['hubspot'],
    digest: 'sha256:c3cf5f4d6fec55132b4d41b8308c55042556343f4960d1008a1d743566601485',
  },
  { name: 'jira', kinds: ['jira'], digest: 'sha256:21189dccbe9ef328a046d5aa49b18324ee4704611d3506b0a3681bfb08c0f9dd' },
  {
    name: 'jotform',
    kinds: ['jotFormTrigger'],
    digest: 'sha256:27f8cb731406bdf967edf1473b98954bef3aa4e9da72b005515e50dc132b0288',
  },
  {
    name: 'linkedin',
    kinds: ['linkedIn'],
    digest: 'sha256:c61b6834965d79f440bbd78c0dffbdfe3ec541674b7960af3bd05b002903b983',
  },
  {
    name: 'mattermost',
    kinds: ['mattermost'],
    digest: 'sha256:5d0c925fe833e7113db2464ed5a838e42d9e340459528a7334b7c9e02f203250',
  },
  {
    name: 'nocodb',
    kinds: ['nocoDb'],
    digest: 'sha256:0184e9079e5ac48674a23fafbcc94803e8fc6dadb0680d9e59e26757fdfc5c15',
  },
  {
    name: 'notion',
    kinds: ['notion', 'notionTrigger'],
    digest: 'sha256:c3fdb6713d40e0ab7dcf9277218824565fb63ac197489caee7012a9d24c18b5a',
  },
  {
    name: 'reddit',
    kinds: ['reddit'],
    digest: 'sha256:e4e13ca06e14e5ec3a05b6845b9d1ba27200ff3b9b1cc4c3b0b4de94e9164c1e',
  },
  {
    name: 'seatable',
    kinds: ['seaTable'],
    digest: 'sha256:f7b84115a7d602e5b657a623bbea288ea6a7a28c10d2f4f2d91287d9adba2366',
  },
  {
    name: 'slack',
    kinds: ['slack', 'slackTrigger'],
    digest: 'sha256:82be777589e00f43d95a631141c6949786cc8264a31bc83a199d8814d11d3e75',
  },
  {
    name: 'supabase',
    kinds: ['supabase'],
    digest: 'sha256:3c323997210021576636637d39df5906aad6bc64e822c1eead9cfe1ff337bd43',
  },
  {
    name: 'telegram',
    kinds: ['telegram', 'telegramTrigger'],
    digest: 'sha256:a317636652cd92c3bd36f8e9e88b8c46cbf55da8df9774592942f1e0607dda99',
  },
  {
    name: 'trello',
    kinds: ['trello'],
    digest: 'sha256:efb980b03d8f1c146e51f5f71f10e6b25a263bc371f94ccff9bf1e492de6e664',
  },
  {
    name: 'twilio',
    kinds: ['twilio', 'twilioTrigger'],
    digest: 'sha256:61cf6d407703067d8f655fff3606d0b8c7cb53a68d63c0e77abd2c2e6d305e1d',
  },
  {
    name: 'typeform',
    kinds: ['typeformTrigger'],
    digest: 'sha256:8200f87f24acda26456b55e053fa9d6338eca4dd2d0728015ce150fba348a5cd',
  },
  {
    name: 'whatsapp',
    kinds: ['whatsApp', 'whatsAppTrigger'],
    digest: 'sha256:336f4a341ef3ce3f7e1afb1c55aea2192429beab0a237ead4b5419c0aebc7d07',
  },
  {
    name: 'wordpress',
    kinds: ['wordpress'],
    digest: 'sha256:028a98a4c1a1cc0ee27a6c208cfda83d8281d1c517e892a3a8473f760e203a09',
  },
  { name: 'x', kinds: ['twitter'], digest: 'sha256:df9120cf329dffc64dd86b2494c1bcc84566d2e38334a39e358601122e3a45df' },
  {
    name: 'youtube',
    kinds: ['youTube'],
    digest: 'sha256:5547f6e41d8f926af26187775aa838a846eb8b1112f34e82321b555c80b6f2f0',
  },
];
