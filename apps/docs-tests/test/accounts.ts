/** How each code block of README.md and docs/ is tested, in the order of the page. */

import { FRAMEWORKS } from './framework-accounts.ts'
import { configures, type How, runs } from './how.ts'
import { FRAMEWORK_ACCOUNTS } from './interop-accounts.ts'

const here = (name: string): How => runs(`apps/docs-tests/test/${name}.test.ts`)
const sentinelDrill = runs('apps/fault-tests/test/redis-sentinel.long.test.ts')
const clusterDrill = runs('apps/fault-tests/test/cluster-drill.ts')
const clientDocs = runs('apps/interop/test/client-docs.test.ts')
const client = (path: string): string => `apps/interop/clients/${path}`
const resourceServer = runs('packages/resource-server/test/snippets.test.ts')

const PROTECT = `import { createResourceServer } from '@ostiary/resource-server'
import { protect } from '@ostiary/resource-server/hono'
import { Hono } from 'hono'
import type { Provider } from '@ostiary/core'
declare const provider: Provider
declare const handler: { fetch(request: Request): Promise<Response> }
const app = new Hono()
export { createResourceServer, provider, handler, app }
`
const MAIL = `import type { Provider, Storage } from '@ostiary/core'
declare const provider: Provider
declare const storage: Storage
declare const secret: string
export { provider, storage, secret }
`
const INVITER = `import type { Provider } from '@ostiary/core'
import type { IdentityOptions, Tickets } from '@ostiary/identity'
declare const provider: Provider
declare const identityOptions: IdentityOptions & { tickets: Tickets }
export { provider, identityOptions }
`
const CLAIMS_API = `import { Hono } from 'hono'
import type { AccessToken } from '@ostiary/resource-server'
interface Variables { principal: { currentAccessToken(): AccessToken } }
const app = new Hono<{ Variables: Variables }>()
export { app }
`
const CLAIMS_ACCOUNTS = `import type { Accounts } from '@ostiary/core'
interface Employee { name: string; team: string; groups: string[] }
declare function findUser(sub: string): Promise<Employee | null>
export { accounts }
`
const CLAIMS_RESOLVER = `import {
  type Accounts, type ClaimsResolver, createProvider, type ProviderOptions, standardClaims,
} from '@ostiary/core'
declare const accounts: Accounts
declare const options: ProviderOptions
declare function rolesOf(sub: string): Promise<string[]>
export { provider }
`
const IDENTITY = `import { memoryStorage } from '@ostiary/core/memory'
import { createIdentity, memoryUsers } from '@ostiary/identity'
const storage = memoryStorage()
const users = memoryUsers()
declare const secret: string
export { identity }
`
const FACTORS = `import { memoryStorage } from '@ostiary/core/memory'
const storage = memoryStorage()
declare const secret: string
export { identity }
`
const SIGN_UP = `import type { Storage } from '@ostiary/core'
import type { Mailer } from '@ostiary/identity/mail'
declare const mailer: Mailer
declare const storage: Storage
declare const secret: string
export { identity }
`
const EMAIL_SIGN_IN = `import type { IdentityOptions } from '@ostiary/identity'
declare const options: Omit<IdentityOptions, 'users' | 'extensions'>
declare const replays: NonNullable<IdentityOptions['replays']>
export { identity }
`
const ABUSE = `declare function isBlocked(address: string | null, options: { signal: AbortSignal }): Promise<boolean>
declare function isRight(answer: string, request: Request): Promise<boolean>
declare function questionFor(action: string): Promise<string>
export { abuse }
`
const TERMS = `import type { Storage } from '@ostiary/core'
declare const storage: Storage
declare const secret: string
export { identity }
`
const UPSTREAM = `import { memoryStorage } from '@ostiary/core/memory'
import type { UpstreamFetch, UpstreamSettings } from '@ostiary/upstream'
const storage = memoryStorage()
declare const google: UpstreamSettings
declare const guardedFetch: UpstreamFetch
declare const secret: string
export { identity }
`
const BENCH = 'It takes minutes to hours. apps/bench/test runs the same programs in short.'

/** How the blocks of the application begin in each section of docs/applications.md. */
const APPLICATIONS = [
  ['# oauth2-proxy.cfg'],
  ['# config.yaml of dex'],
  ['# kubeconfig', 'kube-apiserver --oidc-is'],
  ['vault auth enable oidc'],
  ['export MINIO_IDENTITY_OP'],
  ['{'],
  ['# jupyterhub_config.py'],
  ['# config_local.py'],
  ['# .streamlit/secrets.tom'],
  ['# settings.py, mozilla-d', '# settings.py, django-al'],
  ['# Flask-OIDC'],
  ['# superset_config.py'],
  ['# FastMCP, with its prox', '# The MCP SDK, for a rea'],
  ['// The server. verify ch'],
  ['spring:', '@Bean'],
  ['quarkus.oidc.auth-server'],
  ['kcadm.sh create identity'],
  ['# The client, with -Dorg', '# The broker, with …allo'],
]
const application = (begins: string): How =>
  begins === '# settings.py, django-al'
    ? runs('apps/interop/test/django.weekly.test.ts')
    : { not_run: 'It needs the application. applications.test.ts: it names the client of its section.' }

/** The configuration of a client, and a part of its program. */
const withConfiguration = (path: string): [begins: string, how: How][] => [
  ['{', configures],
  [`// ${client(path)}`, clientDocs],
]

/** How the blocks that begin so are accounted for. A block of a page that is not in its list fails the test. */
export const ACCOUNTS: Record<string, [begins: string, how: How][]> = {
  'README.md': [['npx -y pnpm@12.21.0 start   #', { not_run: 'The second line is what runs this test.' }]],
  'docs/your-own-server.md': [
    ['{', configures],
    ['export OIDC_SECRET=', here('follow.long')],
    ['export DATABASE_URL=', here('follow.long')],
    ['node apps/node-server/dist/main.js migrate --plan', here('follow.long')],
  ],
  'docs/getting-started.md': [
    ['npx -y pnpm@12.21.0 start', { not_run: 'As the first of README.md: see static.test.ts.' }],
    ['{', configures],
    ['export OIDC_SECRET=', here('getting-started')],
    ['curl -s http://localhost:3000/', here('getting-started')],
    ['npm init -y', here('getting-started')],
    ['// app.mjs', here('getting-started')],
    ['node app.mjs', here('getting-started')],
  ],
  'docs/move-your-users.md': [
    ['ostiary user import users.jsonl --dry-run', here('move-your-users.long')],
    ['{"username": ', here('move-your-users.long')],
    ['ostiary user recovery-link', here('move-your-users.long')],
    ...['auth0', 'keycloak', 'cognito', 'firebase'].flatMap((name): [string, How][] => [
      [`// ${name}.mjs`, here('move-your-users.long')],
      [`node ${name}.mjs`, here('move-your-users.long')],
    ]),
    ...['supabase', 'better-auth', 'django', 'own'].flatMap((name): [string, How][] => [
      [`-- ${name}.sql`, here('move-your-users.long')],
      ['psql "$', here('move-your-users.long')],
    ]),
  ],
  'docs/protect-an-api.md': [
    ['{', configures],
    ['npm install @ostiary/resource-server', runs('apps/registry-tests/test/install.weekly.test.ts')],
    ...['hono', 'express', 'fastify', 'next', 'introspection', 'users', 'scopes', 'dpop'].map(
      (name): [string, How] => [`// ${name}.ts`, resourceServer],
    ),
    ['{', configures],
    ['// step-up.ts', resourceServer],
    ['WWW-Authenticate: Bearer realm', { not_run: 'It is the response of step-up.ts, which is run.' }],
    ['// step-up-client.ts', resourceServer],
    ['// examples/hono-api/src/server.ts', clientDocs],
    ['// log.ts', resourceServer],
    ['const auth = protect(provider.guard(', { compiles: PROTECT }],
  ],
  'docs/clients.md': [
    [`// ${client('oidc-client-ts/app.js')}`, clientDocs],
    ...['auth-js/app.js', 'next-auth/lib/auth.js', 'openid-client/app.js', 'openid-client-5/app.js'].flatMap(
      withConfiguration,
    ),
    ...withConfiguration('passport-openidconnect/app.js'),
    ['{', configures],
    ['TOKEN=$(curl ', runs('apps/interop/test/clients.long.test.ts')],
    ...['oidc-client-ts-dpop', 'openid-client-fapi', 'oauth4webapi-fapi'].map((name): [string, How] => [
      `// ${client(`${name}/app.js`)}`,
      clientDocs,
    ]),
  ],
  // applications.test.ts checks each entry as `doctor --offline` does.
  'docs/applications.md': APPLICATIONS.flatMap((lines): [begins: string, how: How][] => [
    ['{', configures],
    ...lines.map((begins): [string, How] => [begins, application(begins)]),
  ]),
  ...FRAMEWORK_ACCOUNTS,
  ...FRAMEWORKS,
  'docs/single-page-app.md': [
    ...withConfiguration('oidc-client-ts/app.js'),
    ...Array.from({ length: 3 }, (): [string, How] => [`// ${client('oidc-client-ts/app.js')}`, clientDocs]),
  ],
  'docs/sender-constrained.md': [
    // sender-constrained.test.ts makes a provider with each of the two.
    ['{', configures],
    [`// ${client('oidc-client-ts-dpop/app.js')}`, clientDocs],
    [`// ${client('openid-client-fapi/app.js')}`, clientDocs],
    ['// apps/interop/test/notes-api.ts', clientDocs],
    ['{', configures],
    ['// fapi2.ts', resourceServer],
  ],
  'docs/claims-and-groups.md': [
    // claims-and-groups.long.test.ts signs a user in with it too.
    ['{', configures],
    ["app.get('/orders'", { compiles: CLAIMS_API }],
    ['const accounts: Accounts', { compiles: CLAIMS_ACCOUNTS }],
    ['const claims: ClaimsResolver', { compiles: CLAIMS_RESOLVER }],
  ],
  'docs/private-key-jwt.md': [
    ['{', configures],
    ['// make-keys.mjs', here('private-key-jwt.long')],
    ['node make-keys.mjs', here('private-key-jwt.long')],
    ['// token.mjs', here('private-key-jwt.long')],
    ['// assertion.mjs', here('private-key-jwt.long')],
    ['curl -s http://localhost:3000/oauth/token', here('private-key-jwt.long')],
  ],
  'docs/token-exchange.md': [
    // token-exchange.long.test.ts starts the server with it, and sends what the three commands send.
    ['{', configures],
    ['curl -s http://localhost:3000/oauth/token -d client_id=shop', here('token-exchange.long')],
    ['curl -s http://localhost:3000/oauth/token -d client_id=notes-api', here('token-exchange.long')],
    ['curl -s http://localhost:3000/oauth/token -d client_id=notes-api', here('token-exchange.long')],
  ],
  'docs/device.md': [
    // device.long.test.ts starts the server with it, sends what the two commands send, and is the user in between.
    ['{', configures],
    ['curl -s http://localhost:3000/oauth/device_authorization', here('device.long')],
    ['curl -s http://localhost:3000/oauth/token -d client_id=tv', here('device.long')],
  ],
  'docs/connect-an-mcp-client.md': [
    ['const api = protect(', { compiles: PROTECT }],
    // registrations.test.ts registers all clients of the page with the first two together.
    ['{', configures],
    ['{', configures],
    ['{', configures],
    ['curl -si -X POST https://mcp.example.com/mcp', { not_run: 'It asks a server of yours by its name.' }],
  ],
  'docs/passkeys-and-codes.md': [
    ['{', configures],
    ['{', configures],
    ['{', configures],
    ['{', configures],
    ['{', configures],
    ['import { createIdentity, memoryUserStores }', { compiles: FACTORS }],
  ],
  'docs/mail.md': [
    ['{', configures],
    ['SMTP_URL=', { not_run: 'It names a mail server of yours.' }],
    ['ostiary user invite', { not_run: 'docs/commands.md has such lines, and its test runs them.' }],
    ['import { createIdentity, memoryUserStores }', { compiles: MAIL }],
    ['import { inviteUser', { compiles: INVITER }],
    ['ostiary doctor', { not_run: 'docs/commands.md has both lines, and its test runs them.' }],
  ],
  'docs/email-address.md': [
    ['{', configures],
    ['import { createAddresses }', { compiles: SIGN_UP }],
  ],
  'docs/email-codes.md': [
    ['{', configures],
    ['import { createEmailCodes }', { compiles: SIGN_UP }],
  ],
  'docs/email-sign-in.md': [
    ['{', configures],
    ['import { createEmailSignIn }', { compiles: EMAIL_SIGN_IN }],
  ],
  'docs/sign-up.md': [
    ['{', configures],
    ['import { createIdentity, memoryUserStores }', { compiles: SIGN_UP }],
    ['import type { AbuseCheck }', { compiles: ABUSE }],
  ],
  // admin-api.long.test.ts starts a server with the third one, and runs the commands in order.
  'docs/admin-api.md': [
    ['{', configures],
    ['{', configures],
    ['{', configures],
    ['ostiary admin roles grant deploy manager --client', here('admin-api.long')],
    ['TOKEN=$(curl -s http://localhost:3000/oauth/token', here('admin-api.long')],
    ['curl -s -i http://localhost:3000/admin/api/v1', here('admin-api.long')],
    ['ETAG=$(curl -s -o notes.json', here('admin-api.long')],
    ["curl -s 'http://localhost:3000/admin/api/v1", here('admin-api.long')],
    [
      "curl -s 'http://localhost:3000/admin/api/v1/realms/default/clients/notes?overwrite",
      here('admin-api.long'),
    ],
  ],
  'docs/console.md': [['{', configures]],
  'docs/remote-commands.md': [
    ['{', configures],
    ['ostiary login https://id.example.com', here('remote-commands.long')],
    ['ostiary login', here('remote-commands.long')],
    ['ostiary login https://id.example.com --device', here('remote-commands.long')],
    ['ostiary logout https://id.example.com', here('remote-commands.long')],
    ['ostiary client update notes --name', here('remote-commands.long')],
    ['Nothing was changed', here('remote-commands.long')],
    ["import { openConnection } from '@ostiary/admin-client'", here('remote-commands.long')],
  ],
  'docs/simulate.md': [
    ['ostiary client create --id notes', here('simulate.long')],
    ['ostiary simulate tokens notes', here('simulate.long')],
    ['ostiary simulate sign-in', here('simulate.long')],
  ],
  'docs/access-rules.md': [['{', configures]],
  'docs/realms.md': [
    ['{', configures],
    ['{ "oidc": { "tokens"', configures],
  ],
  'docs/audit.md': [['{', configures]],
  'docs/personal-data.md': [
    ['ostiary user export', { not_run: 'docs/commands.md has such a line, and its test runs it.' }],
    ['{', configures],
    ['import { type PersonalDataSources', { compiles: '' }],
  ],
  'docs/audit-sinks.md': [
    ['{', configures],
    ['const row = {', here('audit-sinks')],
    ['// webhooks.mjs', here('audit-sinks')],
    ['// security-events.mjs', here('audit-sinks')],
  ],
  'docs/terms.md': [
    ['{', configures],
    ['import { createIdentity, memoryUsers }', { compiles: TERMS }],
  ],
  'docs/upstream.md': [
    ['{', configures],
    ['import { createIdentity, memoryUserStores }', { compiles: UPSTREAM }],
    ...['google', 'microsoft', 'apple', 'github'].map((name): [string, How] => [
      `const ${name}: UpstreamSettings`,
      { compiles: `import type { UpstreamSettings } from '@ostiary/upstream'\nexport { ${name} }\n` },
    ]),
    ['{', configures],
  ],
  'docs/pages-and-languages.md': [
    ['{', configures],
    ['// pt-BR.json', runs('packages/host/test/languages.test.ts')],
    ['const identity = createIdentity({', { compiles: IDENTITY }],
  ],
  'docs/theme.md': [['{', configures]],
  'docs/run-it.md': [
    ['docker build -t ostiary .', { not_run: 'It needs a container engine.' }],
    ['for name in OIDC_SECRET', here('follow.long')],
    ['kubectl create secret', { not_run: 'It needs a cluster; kubernetes.test.ts checks the manifests.' }],
    ['npx -y pnpm@12.21.0 install', { not_run: 'It installs into /opt and /etc, as root.' }],
    ['systemd-run --quiet', { not_run: 'systemd.long.test.ts reads it as a unit; no systemd runs here.' }],
    ['docker exec -it', { not_run: 'It needs a container engine.' }],
    ['docker compose exec', { not_run: 'It needs a container engine and a cluster.' }],
    ['upstream ostiary {', runs('apps/fault-tests/test/balancers.weekly.test.ts')],
    ['id.example.com {', runs('apps/fault-tests/test/balancers.weekly.test.ts')],
    ["sed 's/^Environment=", { not_run: 'systemd.long.test.ts reads its unit; no systemd runs here.' }],
    // HAProxy in front of the servers, then in front of PostgreSQL.
    ['defaults', runs('apps/fault-tests/test/balancers.weekly.test.ts')],
    ['DATABASE_URL=postgres://ostiary:password@db1', runs('apps/fault-tests/test/failover.long.test.ts')],
    ['synchronous_commit = on', { not_run: 'It names servers of yours.' }],
    ['defaults', runs('apps/fault-tests/test/failover.long.test.ts')],
    ['[databases]', runs('apps/fault-tests/test/pgbouncer.long.test.ts')],
    ['ALTER ROLE ostiary', runs('apps/fault-tests/test/pgbouncer.long.test.ts')],
    [
      'DATABASE_URL=postgres://ostiary:password@127.0.0.1:6432',
      runs('apps/fault-tests/test/pgbouncer.long.test.ts'),
    ],
    ['{ "database": { "sharded": true', configures],
    [
      'systemctl reload ostiary',
      { not_run: 'systemd does not run where the tests run; server.test.ts sends the signal.' },
    ],
    ['node /opt/ostiary/dist/main.js serve |', here('follow.long')],
    ['# redis.conf of the three servers', sentinelDrill],
    ['# sentinel.conf of the three sentinels', sentinelDrill],
    [`export REDIS_URL='redis+sentinel:`, sentinelDrill],
    ['# redis.conf of the six nodes', clusterDrill],
    [`export REDIS_URL='redis+cluster:`, clusterDrill],
    ['pg_dump ', { not_run: 'The PostgreSQL of the tests comes without its client programs.' }],
    [`export DATABASE_URL='postgres://ostiary:password@db`, here('follow.long')],
    ['node /opt/ostiary/dist/main.js export --realm default', here('follow.long')],
    ['node /opt/ostiary/dist/main.js migrate --plan', here('follow.long')],
    ['node /opt/ostiary/dist/main.js keys list', here('follow.long')],
    ['node /opt/ostiary/dist/main.js secret rotate', here('follow.long')],
    ['node /opt/ostiary/dist/main.js doctor', here('follow.long')],
  ],
  'docs/upgrade.md': [
    ['node apps/node-server/dist/main.js doctor --offline', here('follow.long')],
    ['node apps/node-server/dist/main.js migrate', here('follow.long')],
    ['node apps/node-server/dist/main.js doctor', here('follow.long')],
  ],
  'docs/storage-adapters.md': [
    ['// pending-in-redis.ts', here('storage-adapters')],
    ['// pending-in-redis.test.ts', here('storage-adapters')],
    ['// use-it.ts', here('storage-adapters')],
  ],
  'docs/capacity.md': [
    ['export DATABASE_URL=', runs('apps/bench/test/capacity.weekly.test.ts')],
    ['npx -y pnpm@12.21.0 --filter @ostiary/bench bench:users', { not_run: BENCH }],
    ['alter table oidc_grants', runs('apps/bench/test/capacity.weekly.test.ts')],
  ],
  'docs/performance.md': [
    ['npx -y pnpm@12.21.0 --filter @ostiary/bench bench --docs', { not_run: BENCH }],
    ['npx -y pnpm@12.21.0 --filter @ostiary/bench bench --docs --only', { not_run: BENCH }],
    ['npx -y pnpm@12.21.0 --filter @ostiary/bench bench --runtime', { not_run: BENCH }],
    ['npx -y pnpm@12.21.0 --filter @ostiary/bench bench:scale', { not_run: BENCH }],
    ['npx -y pnpm@12.21.0 --filter @ostiary/bench bench:idle', { not_run: BENCH }],
    ['npx -y pnpm@12.21.0 --filter @ostiary/bench bench:profile', { not_run: BENCH }],
    ['npx -y pnpm@12.21.0 --filter @ostiary/bench bench:cores', { not_run: BENCH }],
  ],
}

/** Pages all of whose blocks one test reads and runs. */
export const WHOLE: Record<string, string> = {
  'docs/commands.md': 'apps/docs-tests/test/commands.long.test.ts',
  'docs/embed-it.md': 'apps/docs-tests/test/embed-it.test.ts',
}
