/** Invented data for the pages of the preview: a realm, clients, a user. Nothing of a real server is read. */

import { type Account, type Client, type ConsentScope, createProvider, type Realm } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { en } from '@ostiary/messages'
import { createIdentity } from '../src/identity.js'
import type { PostTarget } from '../src/pages/factors/steps.js'
import { type Html, html } from '../src/pages/html.js'
import type { Presentation } from '../src/pages/presentation.js'
import { memoryUsers } from '../src/users/memory-users.js'

/** What a page of the preview is made of. */
export interface Sample extends Presentation {
  realm: Realm
  /** A client of the operator. */
  client: Client
  /** A client that registered itself. */
  stranger: Client
  /** A client whose metadata is a document at its URL. */
  published: Client
}

/** Makes the answer that is shown. */
export type Show = (sample: Sample) => Response | Promise<Response>

/** The pages by group and name. */
export type States = Readonly<Record<string, Show>>

/** 15 November 2026. */
export const NOW = 1_794_700_800
export const USERNAME = 'ada'
export const USER: Account = {
  sub: 'ada',
  claims: {
    name: 'Ada Lovelace',
    preferred_username: USERNAME,
    email: 'ada@example.com',
    email_verified: false,
  },
}
export const REDIRECT_URI = 'https://reports.example/callback'
export const NO_FIELDS: Html = html``
export const TARGET: PostTarget = { action: '/login', fields: NO_FIELDS }
export const REQUEST: Request = new Request('https://id.example.com/')

/** Scopes that every realm has, with the texts by which the pages know them. */
export const ownScopes = (
  ...names: ('openid' | 'profile' | 'email' | 'address' | 'phone')[]
): ConsentScope[] =>
  names.map((value) => ({ value, description: String(en[`scope.${value}`]), severity: 'normal' }))

/** @param issuer Its host is the name of the pages where the theme has none. */
export async function sampleData(issuer: string): Promise<Omit<Sample, keyof Presentation>> {
  const storage = memoryStorage()
  const secret = 'the preview has no secrets to keep'
  const identity = createIdentity({
    users: memoryUsers(),
    throttle: (realm) => storage(realm).throttle,
    secret,
  })
  const provider = createProvider({
    oidc: {
      issuer,
      resources: { 'https://api.example.com/notes': { scopes: ['notes.read', 'notes.delete'] } },
      scopes: { offline_access: { hidden: false } },
    },
    secret,
    storage,
    accounts: identity.accounts,
    interactions: identity.interactions,
  })
  const { clients } = await provider.manage('default')
  const { client } = await clients.create({
    client_id: 'reports',
    client_name: 'Quarterly Reports',
    redirect_uris: [REDIRECT_URI],
    client_uri: 'https://reports.example',
    policy_uri: 'https://reports.example/privacy',
    tos_uri: 'https://reports.example/terms',
  })
  const located = await provider.locate(new Request(issuer))
  if (!located) throw new Error('the preview has no realm')
  const published = 'https://agent.example/client.json'
  return {
    realm: located.realm,
    client,
    stranger: { ...client, client_id: 'stranger', client_name: 'Notes Agent', origin: 'registered' },
    published: { ...client, client_id: published, client_name: 'Desk Agent', origin: 'metadata_document' },
  }
}
