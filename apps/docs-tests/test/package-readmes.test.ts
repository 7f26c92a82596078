/** Every TypeScript block in the README of a published package compiles under strict, as a user's file. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fencesOf, ROOT } from './fences.ts'
import { compile } from './snippets.ts'

const PROVIDER = `import type { Provider } from '@ostiary/core'
declare const provider: Provider
`

/** What a block takes from the user's application or from the block before it, by the line that it begins with. */
const BEFORE: Record<string, string> = {
  "core: import { createProvider } from '@ostiary/core'": `import type { ConsentPrompt, OidcEvent } from '@ostiary/core'
declare const users: { byId(sub: string): Promise<{ name: string; email: string; verified: boolean } | null> }
declare function renderConsent(prompt: ConsentPrompt): Response
declare function log(event: OidcEvent): void
`,
  'core: const guard = provider.guard(': `${PROVIDER}declare const request: Request
`,
  'core: const { clients } = await provider.manage()': PROVIDER,
  'host: process.exitCode = await serve(runtime)': `import { type Runtime, serve } from '@ostiary/host'
declare const runtime: Runtime
`,
  'host: const config = await readConfig(': `import { configuredLog, createApp, readConfig } from '@ostiary/host'
declare const request: Request
declare const remoteAddress: string
`,
  'identity: createIdentity({': `import { createIdentity, type IdentityOptions } from '@ostiary/identity'
declare const options: IdentityOptions
`,
  "messages: import { acceptedLanguages, de, en, findLanguage, fr } from '@ostiary/messages'": `declare const request: Request
`,
  "admin-commands: import { adminCommands, auditCommands } from '@ostiary/admin-commands'": `import type { AdminTools, CommandTools, InServer, OpenedRealm } from '@ostiary/admin-commands'
interface Input {
  args: string[]
  text(option: string): string | undefined
  flag(option: string): boolean
  list(option: string): string[]
}
interface Output {
  cwd: string
  out(text: string): void
}
declare const tools: AdminTools & CommandTools<Input, Output>
declare const inServer: InServer<Input, Output>
declare function open<Result>(input: Input, output: Output, run: (opened: OpenedRealm) => Promise<Result>): Promise<Result>
`,
  "audit-sinks: import { createAudit, memoryAuditStore } from '@ostiary/audit'": PROVIDER,
  "realm-operations: import { createAdmin } from '@ostiary/admin'": `import type { AdminOptions } from '@ostiary/admin'
import type { Storage } from '@ostiary/core'
declare const options: AdminOptions
declare const storage: Storage
`,
  "simulation: import * as core from '@ostiary/core'": `import type { ProviderOptions } from '@ostiary/core'
declare const options: ProviderOptions
`,
  "email-codes: import { createEmailCodes } from '@ostiary/email-codes'": `import type { IdentityOptions } from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
declare const options: IdentityOptions
declare const mail: MailOptions
`,
  "password-hashes: import { argon2Passwords } from '@ostiary/identity'": `import { createIdentity, type IdentityOptions } from '@ostiary/identity'
declare const options: IdentityOptions
`,
  "password-rules: import { passwordRules } from '@ostiary/password-rules'": `import { createIdentity, type IdentityOptions } from '@ostiary/identity'
declare const options: IdentityOptions
`,
  'password-rules: const compromised = async (': `import { passwordRules } from '@ostiary/password-rules'
`,
  "explain: import { catalogReasons, hintOfEvent } from '@ostiary/core'": `import type { Audit } from '@ostiary/audit'
import type { ClientStore, Realm } from '@ostiary/core'
import type { UserStore } from '@ostiary/identity'
declare const audit: Audit
declare const realm: Realm
declare const clients: ClientStore
declare const users: UserStore
`,
  "personal-data: import { personalData } from '@ostiary/personal-data'": `import type { UserStore } from '@ostiary/identity'
import type { PersonalDataSources } from '@ostiary/personal-data'
declare const sources: PersonalDataSources & { users: UserStore }
declare const sub: string
`,
  "recovery: import { createIdentity } from '@ostiary/identity'": `import type { Factors, IdentityOptions } from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
declare const options: IdentityOptions
declare const mail: MailOptions
declare const factors: Factors
`,
  "account-deletion: import { createAccountDeletion } from '@ostiary/account-deletion'": `import type { Provider } from '@ostiary/core'
import type { IdentityOptions, Tickets, Users } from '@ostiary/identity'
declare const provider: Provider
declare const options: Omit<IdentityOptions, 'users' | 'tickets'>
declare const users: Users
declare const tickets: Tickets
declare const replays: NonNullable<IdentityOptions['replays']>
declare const now: () => number
`,
  "addresses: import { createAddresses } from '@ostiary/addresses'": `import type { IdentityOptions } from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
declare const options: IdentityOptions
declare const mail: MailOptions
`,
  "sign-up: import { createIdentity } from '@ostiary/identity'": `import type { IdentityOptions } from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
declare const options: IdentityOptions
declare const mail: MailOptions
`,
  "email-sign-in: import { createIdentity } from '@ostiary/identity'": `import type { IdentityOptions } from '@ostiary/identity'
import type { PostgresStores } from '@ostiary/storage-postgres'
declare const options: IdentityOptions
declare const replays: NonNullable<IdentityOptions['replays']>
declare const stores: PostgresStores
`,
  "admin: import { createAdmin, withAdminResource } from '@ostiary/admin'": `import type { AdminOptions } from '@ostiary/admin'
import type { Provider } from '@ostiary/core'
declare const provider: Provider
declare const options: Omit<AdminOptions, 'settings' | 'origin' | 'by_path' | 'realms'>
`,
  "access-rules: import { createApplications, refusedPage } from '@ostiary/access-rules'": `import type { Storage } from '@ostiary/core'
import type { IdentityOptions } from '@ostiary/identity'
declare const options: IdentityOptions
declare const replays: NonNullable<IdentityOptions['replays']>
declare const storage: Storage
`,
  "realms: import { databaseRealms } from '@ostiary/realms'": `declare const now: () => number
`,
  "terms: import { createIdentity } from '@ostiary/identity'": `import type { IdentityOptions } from '@ostiary/identity'
declare const options: IdentityOptions
declare const replays: NonNullable<IdentityOptions['replays']>
`,
  "upstream: import { createIdentity } from '@ostiary/identity'": `import type { Storage } from '@ostiary/core'
import type { IdentityOptions, Links } from '@ostiary/identity'
declare const options: IdentityOptions
declare const links: Links
declare const storage: Storage
`,
  "totp: import { acceptedStep, newTotpSecret, totpUri } from '@ostiary/totp'": `declare const typed: string
declare const stored: { last_step: number }
`,
  "webauthn: import { checkAssertion } from '@ostiary/webauthn'": `import type { StoredPasskey } from '@ostiary/webauthn'
declare const stored: StoredPasskey
declare const body: string
declare const challenge: string
`,
  "storage-conformance: import { storageConformance } from '@ostiary/storage-conformance'": '',
  "storage-postgres: import { createProvider } from '@ostiary/core'": `import type { Accounts, Interactions } from '@ostiary/core'
declare const accounts: Accounts
declare const interactions: Interactions
`,
  'storage-postgres: const { storage, users } = postgresStores(executor)': `import { createIdentity } from '@ostiary/identity'
import { postgresStores, type Executor } from '@ostiary/storage-postgres'
declare const executor: Executor
declare const secret: string
`,
  'storage-postgres: const steps = migrations(executor)': `import { migrations, type Executor } from '@ostiary/storage-postgres'
declare const executor: Executor
`,
  "storage-redis: import { connect, redisStorage } from '@ostiary/storage-redis'":
    'declare function log(event: object): void\n',
  "storage-redis: import { redisStorage } from '@ostiary/storage-redis'":
    'declare function log(error: Error): void\n',
  'storage-redis: const storage: Storage = (realm)': `import type { Storage } from '@ostiary/core'
declare const inPostgres: Storage
declare const inRedis: Storage
`,
}
/** The file that the block of storage-conformance imports. */
const MY_STORAGE = `import type { Storage } from '@ostiary/core'
export declare function connect(url: string | undefined): { close(): Promise<void> }
export declare function myStorage(database: { close(): Promise<void> }): Storage
`

const blocks = readdirSync(join(ROOT, 'packages'))
  .filter((name) => existsSync(join(ROOT, 'packages', name, 'README.md')))
  .flatMap((name) => {
    const fences = fencesOf(`packages/${name}/README.md`).filter(({ language }) => language === 'ts')
    return fences.map((block) => ({ name: `${name}: ${block.begins}`, code: block.code }))
  })

const contextOf = (name: string) => Object.keys(BEFORE).find((begins) => name.startsWith(begins))

it('every context belongs to a block', () => {
  const used = blocks.map(({ name }) => contextOf(name))
  expect(Object.keys(BEFORE).filter((begins) => !used.includes(begins))).toEqual([])
})

it('every block compiles', async () => {
  expect(blocks.length).toBeGreaterThan(12)
  const files = blocks.map(({ name, code }, i) => {
    const before = BEFORE[contextOf(name) ?? ''] ?? ''
    return { name: `block-${i}.ts`, code: `// ${name}\n${before}${inFunction(code)}\nexport {}\n` }
  })
  files.push({ name: 'my-storage.ts', code: MY_STORAGE })
  // A block need not use what it makes.
  const { remove } = await compile(files, { noUnusedLocals: false, noImplicitReturns: false })
  remove()
})

/** A block with a `return` of its own is the body of a function. */
const inFunction = (code: string): string =>
  /^(?:if .*)?return /m.test(code) ? `export async function block() {\n${code}}` : code
