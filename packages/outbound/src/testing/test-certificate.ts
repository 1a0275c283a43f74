/** A key that signs nothing but the certificate below. For tests alone. */
export const privateKey = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIEXnyekV0Cutlf5B6fhKPET4Qs38wKTg7p12Ouw6hKxNoAoGCCqGSM49
AwEHoUQDQgAEGaRw09jgajW9ZvMgjJ7Qlih1AAsGB6DQgT3SIW1Jz0dtA1s97BLv
V/k52j7CSmzc5F/odqz5jTCmKQipL8mBfg==
-----END EC PRIVATE KEY-----`;

/** Self-signed, for localhost, valid for a hundred years. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUdN0GIrKo7mQrhQSngbhom0B2W0AwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTExNTcyM1oYDzIxMjYxMDI4
MTE1NzIzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQZpHDT2OBqNb1m8yCMntCWKHUACwYHoNCBPdIhbUnPR20DWz3sEu9X
+TnaPsJKbNzkX+h2rPmNMKYpCKkvyYF+o1MwUTAdBgNVHQ4EFgQUiHa+FA0fl/Gw
P6BwidwCe9hcd/EwHwYDVR0jBBgwFoAUiHa+FA0fl/GwP6BwidwCe9hcd/EwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAqAbSJH45PoNTtzssfeqL
82AzzzxeQfo+YtZQBhH9Mk8CIBGmsxakLh3fOwdPuGksh2/ByK1JG1ZkaCSIWun5
l1EO
-----END CERTIFICATE-----`;
