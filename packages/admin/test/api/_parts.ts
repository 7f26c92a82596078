/** The parts of the realms as a server opens them, over the stores of a test. */

import type { Audit } from '@ostiary/audit'
import type { Provider, Storage } from '@ostiary/core'
import type { IdentityEvent, memoryUserStores } from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
import { type Executor, postgresStores } from '@ostiary/storage-postgres'
import { ISSUER } from '@ostiary/test-kit/world'
import { partFunctions } from '../../../host/src/server/admin/part-functions.ts'
import { upstreamReader } from '../../../host/src/server/admin/upstreams.ts'
import { emailSignInOf } from '../../../host/src/storage/email-sign-in.ts'
import { type OpenParts, realmParts } from '../../src/index.ts'

export const UPSTREAM_SECRET = 'a-secret-at-another-provider'

export interface PartsOptions {
  realms: readonly string[]
  people: ReturnType<typeof memoryUserStores>
  executor: Executor | undefined
  /** Without other providers, sign-in by address and audit. */
  bare: boolean
  mail: MailOptions | null
}

/** Each address of a user is entered. */
export async function enteredPeople({ realms, people, executor, bare }: Omit<PartsOptions, 'mail'>) {
  const addresses = executor ? { addresses: postgresStores(executor).addresses } : {}
  const sign_in_with = bare ? {} : { sign_in_with: [...realms] }
  const by_email = await emailSignInOf(sign_in_with, { users: people.users, ...addresses })
  return { by_email, people: by_email ? { ...people, users: by_email.users } : people }
}

export interface PartsWorld {
  provider: Provider
  storage: Storage
  audit: Audit
  by_email: Awaited<ReturnType<typeof emailSignInOf>>
  now: () => number
  on_event: (event: IdentityEvent) => void
}

const UNSET = { issuer: ISSUER, oidc: {} }
/** Of each realm. Nothing listens at the first one. */
const PROVIDERS = {
  google: {
    type: 'oidc',
    issuer: 'https://127.0.0.1:1',
    client_id: 'ostiary',
    client_secret: UPSTREAM_SECRET,
    name: 'Google',
  },
  github: { type: 'github', client_id: 'x', client_secret: UPSTREAM_SECRET, name: 'GitHub' },
} as const
const UPSTREAMS = {
  ...UNSET,
  oidc: { routes: { realms: 'path' } },
  upstreams: { acme: PROVIDERS, other: PROVIDERS, default: PROVIDERS },
}
const SECRET = 'only-for-tests-only-for-tests-only-for-tests'

export function openParts(options: PartsOptions, world: PartsWorld): OpenParts {
  const { realms, people, executor, bare, mail } = options
  const entries = { mail: mail && { per_hour: 10 } }
  const config = { secret: SECRET, realms: Object.fromEntries(realms.map((id) => [id, entries])) }
  const records = executor && { records: executor }
  return realmParts({
    ...world,
    stores: people,
    records: executor,
    secret: SECRET,
    identity: () => ({}),
    upstreams: (realm) => upstreamReader(bare ? UNSET : UPSTREAMS, realm),
    audit: bare ? null : world.audit,
    mail,
    functions: partFunctions(config, { ...world, ...records, users: people.users }),
  })
}
