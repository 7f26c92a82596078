/** Hashes that other programs have made. The first column names the program and its version in Debian 12, unless it says otherwise. */

export const PASSWORD = 'correct horse'
/** Not ASCII, and composed characters. */
const OTHER = 'pässwörd ☕'

export const VECTORS: readonly (readonly [made_by: string, password: string, hash: string])[] = [
  ['htpasswd 2.4 -B', PASSWORD, '$2y$05$PqOknT0mJ2rmsGKQe8q97ugbazcqo0Y0FIxrdDBF8gK1V/ZT7xvky'],
  ['htpasswd 2.4 -B', OTHER, '$2y$10$Iiu/xdlLPmZa8oqhxVG.8uN9NeOzyB.IA0ZAg/mVk4O218xLCIom.'],
  ['PHP 8.2', PASSWORD, '$2y$12$736anc9zOehrLrHZSO81Hu39S.fp5AAg9HsgbrLvTY7Qn8P4ZrIvy'],
  ['python3-bcrypt 3.2', PASSWORD, '$2a$04$pdwMERHgRUB9FeUIiMnZNuIfHUjtOyUgH/hRaXPwB3QozqCUfdyKi'],
  ['python3-bcrypt 3.2', PASSWORD, '$2b$04$H8CKUZP1O1sZWHXSuKyPHuLJItTxcLeJDRhjgBPwSfEmNbG.xz/8G'],
  [
    'PHP 8.2',
    OTHER,
    '$argon2id$v=19$m=65536,t=4,p=1$UW5xQVNsWndBUXN2Y1loaA$k81PzlSPJu6KVc6LRLt+NRdNvJCR7ZYkavOy58Nezbk',
  ],
  [
    'PHP 8.2',
    PASSWORD,
    '$argon2i$v=19$m=8192,t=3,p=1$TUlhRmYuZFpzU1NRRWlVcQ$dmcLDTb1KmhVj3JW/bc/UAzNTunf4w+0t16GLcYa44Q',
  ],
  [
    'python3-argon2 21.1',
    PASSWORD,
    '$argon2d$v=19$m=4096,t=2,p=2$hBDiPIcwJuQcw/gf49x77w$olRutg1JUwgnyXR/UpgaLg',
  ],
  [
    'argon2 20171227 -i',
    PASSWORD,
    '$argon2i$v=19$m=1024,t=2,p=1$c29tZXNhbHQ4$LTvRVA4Jq3adJGgrXUILn0yeAZOvseCJgwmWV/uHcXc',
  ],
  [
    'argon2 20171227 -d',
    PASSWORD,
    '$argon2d$v=19$m=1024,t=2,p=1$c29tZXNhbHQ4$Za9NCsc9H3j2HkA0Sa7oWN3k0pc0GcRypYXuJXcy2Xw',
  ],
  [
    'argon2 20171227 -id',
    PASSWORD,
    '$argon2id$v=19$m=1024,t=2,p=1$c29tZXNhbHQ4$f5mVnsWM8T1p28J9rgNTUO4C7B50K+wgGUGyK1XbI0s',
  ],
  // 1.0, the version of before 2016.
  [
    'argon2 20171227 -v 10',
    PASSWORD,
    '$argon2i$v=16$m=1024,t=3,p=2$c29tZXNhbHQ4$Uqi8r0+nyBFlOa9ZXqF/EC/ko2yvIU3E',
  ],
  [
    'argon2 20171227 -l 64',
    PASSWORD,
    '$argon2id$v=19$m=8192,t=2,p=4$c29tZXNhbHQ4$bFfxE7b+y/kRS/4AcjK1p+FA8lvwBAh7CTriPOCVbgHItE/Y44+/ClATMeUodcOMUnWJBrFKZG3/0OrbAs2QWg',
  ],
  // The other system has not made NFC of it.
  [
    'argon2 20171227 -id',
    'cafe\u0301\u00a0x',
    '$argon2id$v=19$m=1024,t=2,p=1$c29tZXNhbHQ4$ST+1u3LBaeApT2NSOOZx5yQ7UbAFzuSVQDEcFyJnriM',
  ],
  [
    'passlib 1.7',
    PASSWORD,
    '$scrypt$ln=10,r=8,p=1$n3OOca5Vag2BsHZuDQHgvA$zkWOWT3v4TQMCBjzk3iy6KYcdlWDzJGV4OyH33j1BMs',
  ],
  [
    'passlib 1.7',
    OTHER,
    '$scrypt$ln=8,r=4,p=3$LkVIyVlLyZlTao2xdi4l5A$g5rlFPA3dqJhJn7yGblvst94Wk+adePBcXEXDqEl4rI',
  ],
  [
    'openssl 3.0 kdf',
    PASSWORD,
    '$scrypt$ln=11,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$w0NCg/zFFQEHjs9R/QIOtHeg6uO8MzsAKMdjOvT8QQij/LsaghcVWGI5UQX+fxJ8d5kSAV/GIduqDCck/XyYvw',
  ],
  [
    '@better-auth/utils of npm',
    PASSWORD,
    '$scrypt-nfkc$ln=14,r=16,p=1$MDg0ZDA1Mjc1NDliYWQ0ZjZkMTAwY2JmZDcwMWZiMTM$7tCL0swg3MMcoGPyqw+BQ6E7PQsHt0+B6RH+s0ibxu2KUeDX/x3tok8b/1Q4nQUVg7S+cDW7qPNTiTONfCaYBw',
  ],
  [
    '@better-auth/utils of npm',
    'of\ufb01ce \u2460\u00a0x',
    '$scrypt-nfkc$ln=14,r=16,p=1$MjRkZTc3YTlhMmI1ZDg1MjFmYmFlMzljNWRjMDA4MmM$BXAFodtfbYtDPVFwHWZtOlbTAFIG1rEeX1dWohPO8WIXyYJ5ODnCJANNCyOxoKC9/E87BywXVWY5hSNtaKYTdg',
  ],
  ['passlib 1.7', PASSWORD, '$pbkdf2$1000$6Z2zdi6ltBaCcI7RGkOo1Q$3hKwew1X/vpoO6N/eLhKQ95Yc8Q'],
  ['passlib 1.7', OTHER, '$pbkdf2$1000$mDMmpNR6r7WWUiqltJaSMg$d.rljlpyUiGvPOKqe9Is5XtM5iU'],
  [
    'passlib 1.7',
    PASSWORD,
    '$pbkdf2-sha256$1000$L2WMkbL23hsjpJSSUirFeA$b3oPNJRSlVpkmwM8UMLzKBhqWkcn5EaWY3J9TVVXmpU',
  ],
  [
    'passlib 1.7',
    OTHER,
    '$pbkdf2-sha256$1000$jvEeo5RSypmzVsp57x1jbA$lHznmj.4Y7l50JWFyS.m844AoyOUSvR/oMJG80llTZ0',
  ],
  [
    'passlib 1.7',
    PASSWORD,
    '$pbkdf2-sha512$1000$07qXMkbofY.xFuKcM2ZsTQ$qrgiGVEabLJHbKC2qJNnvib6kkXbvuTV6Bp2y/WdMPZ0skjIJ./6MtyOXqhxY092dGlx51/RKbOSvhfTu65NPw',
  ],
  [
    'passlib 1.7',
    OTHER,
    '$pbkdf2-sha512$1000$FoIwxphzTkmp9R6DEMJYKw$HMbkPiCxnzhzQRwdYLFEwOfw43k2iPEADg60pGHgqq/9kmgpCtD5suDl5ZE3lPacc2Ylg3ogdEBuVw72a9kipQ',
  ],
  [
    'openssl 3.0 kdf',
    PASSWORD,
    '$pbkdf2-sha256$2000$AAECAwQFBgcICQoLDA0ODw$g23pczKX3v535mMMYN4b8rWIeFGTb1TJLUgLxOfxHFs',
  ],
  // Keycloak derives 64 bytes with each digest.
  [
    'hashlib of Python 3.11, 64 bytes',
    PASSWORD,
    '$pbkdf2-sha256$1000$AAECAwQFBgcICQoLDA0ODw$yRTMTwbMbo9G0VfjobWqerzuuxe7BETNTErBbKKumGQVykgYqFUkGDPSqmamlmDo91gX1JZ69LgWiJuFkmT+UQ',
  ],
  [
    'hashlib of Python 3.11, 64 bytes',
    PASSWORD,
    '$pbkdf2-sha1$1000$AAECAwQFBgcICQoLDA0ODw$ndhWw3a4srcTtr4HQFTLiKRlVuARheqNDSZ/M5xlIWnV8dW5o4FxWW4SX6V6pwPMFQrFliwwmyqHNSBeApSZPA',
  ],
  [
    'hashlib of Python 3.11, written as a PHC string',
    PASSWORD,
    '$pbkdf2-sha256$i=1000,l=32$AAECAwQFBgcICQoLDA0ODw$yRTMTwbMbo9G0VfjobWqerzuuxe7BETNTErBbKKumGQ',
  ],
  [
    'passlib 1.7, Django',
    PASSWORD,
    'pbkdf2_sha256$1000$v6JKEEoXNwPZ$TDEYI31xtCZpm3cYwVCVuUPwQz9WyIXpcUaNOvKPVZc=',
  ],
  ['passlib 1.7, Django', OTHER, 'pbkdf2_sha1$1000$jT37CAAzQyOK$jD+lgY2HqFMhuboEqdFTOeUQllA='],
  ['passlib 1.7', PASSWORD, '{SSHA}yp0NMycviPuwP7OgZkIJqW/x1QZcS+kd'],
  ['passlib 1.7', OTHER, '{SSHA}8xfIB99+4diLOSpLWH8ZmSk/YhVxbg2h'],
  ['passlib 1.7', PASSWORD, '{SSHA256}LFq0otLkDKENl1SaoNqRAKVEju14Gp+bySXyq1W2GQI2xlgLoZRSqg=='],
  ['passlib 1.7', OTHER, '{SSHA256}3IKkTKwynklMy/7oMYy9UlvdrvM7UeCyBkSkBdNk1HkjpLTW2rsXIg=='],
  [
    'passlib 1.7',
    PASSWORD,
    '{SSHA512}qmVVUBd6TaGcaXbzJSvgMtnyWgi6Hr/N49ejvgiTpIQe8UiF18mI4TTppSKC/0pTjxN8zHc4yZCYZk4C1g+yrY9RqtUa4/w/',
  ],
  [
    'passlib 1.7',
    OTHER,
    '{SSHA512}eNIr1MzRRSrWs0Dgz3VVb9WK90E033sE9u7GGkbUMUQV15BqkLE05rntf5/mlGFiu+NXF6n3x7W9CGS52C2OjvwfQ0gJ4VwL',
  ],
  // The example in the README of https://github.com/firebase/scrypt.
  [
    'firebase/scrypt',
    'user1password',
    '$firebase-scrypt$ln=14,r=8$42xEC+ixf3L2lw$Bw$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ',
  ],
]
