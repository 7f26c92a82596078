/** How the code blocks of the pages of docs/frameworks are tested that a file of apps/interop runs. */

import { configures, type How, runs } from './how.ts'

/** By the name of the page: how its blocks begin, in their order. */
const BLOCKS = {
  python: [
    'pip install authlib',
    '{',
    '# app.py',
    'flask run',
    '# main.py',
    'uvicorn main:app',
    '# api.py',
    'flask --app api',
  ],
  'apache-and-nginx': [
    'apt-get install apache2',
    '{',
    '# oidc.conf',
    '// app.mjs',
    'node app.mjs',
    '# app.conf',
    '# check.conf',
    '# nginx.conf',
  ],
  'cli-and-native': ['npm install openid-client', '{', '// notes.mjs', 'node notes.mjs login', '{'],
  go: ['go mod init', '{', '// main.go', 'go build -o app', '// api/main.go', 'go build -o notes-api'],
}

function how(page: string, begins: string): How {
  if (begins === '{') return configures
  if (/^(?:pip install|go mod init)/.test(begins)) return { not_run: 'The tests do not reach this registry.' }
  return runs(`apps/interop/test/${page}.weekly.test.ts`)
}

export const FRAMEWORK_ACCOUNTS: Record<string, [begins: string, how: How][]> = Object.fromEntries(
  Object.entries(BLOCKS).map(([page, blocks]) => [
    `docs/frameworks/${page}.md`,
    blocks.map((begins): [string, How] => [begins, how(page, begins)]),
  ]),
)
