/** Whether this machine reaches the hosts of client documents, as the server would. */

import type { FetchDocument, Storage } from '@ostiary/core'
import type { HostConfig } from '../config/host-config.js'
import { documentFetcher } from '../server/compose-provider.js'
import { type Finding, fault, note, ok } from './finding.js'
import { type RealmSettings, settingsOfRealms } from './realm-settings.js'

const MAX_HOSTS = 5
const MAX_BYTES = 5_120

/** Tries the hosts that the configuration names. A pattern names none. */
export async function checkConfiguredHosts(config: HostConfig): Promise<Finding[]> {
  const hosts = configuredHosts(await realmsWithDocuments(config))
  return checkHosts(
    hosts.map((host) => `https://${host}/`),
    documentFetcher(config),
  )
}

/** Where the configuration names no host: tries those of clients that users have used. */
export async function checkStoredHosts(config: HostConfig, storage: Storage): Promise<Finding[]> {
  const realms = await realmsWithDocuments(config)
  if (configuredHosts(realms).length > 0) return []
  const pages = await Promise.all(
    realms.map(({ realm }) => storage(realm).client_documents.list({ limit: MAX_HOSTS })),
  )
  return checkHosts(
    pages.flat().map(({ client_id }) => client_id),
    documentFetcher(config),
  )
}

const realmsWithDocuments = async (config: HostConfig): Promise<RealmSettings[]> =>
  (await settingsOfRealms(config)).filter(({ settings }) => settings.clients.metadata_documents.enabled)

const configuredHosts = (realms: readonly RealmSettings[]): string[] =>
  realms
    .flatMap(({ settings }) => settings.clients.metadata_documents.allowed_hosts)
    .filter((host) => !host.includes('*'))

/** @param urls Of several at one host, the first one is tried. */
export async function checkHosts(urls: readonly string[], read: FetchDocument): Promise<Finding[]> {
  const all = urls.map((url) => ({ url, host: new URL(url).host }))
  const isFirst = ({ host }: { host: string }, index: number) =>
    all.findIndex((other) => other.host === host) === index
  const tried = all.filter(isFirst).slice(0, MAX_HOSTS)
  const outcomes = await Promise.all(
    tried.map(async ({ host, url }) => ({ host, failure: await failureOf(url, read) })),
  )
  const failed = outcomes.flatMap(({ host, failure }) => (failure === null ? [] : [`${host} (${failure})`]))
  if (tried.length === 0) return []
  const hosts = tried.map(({ host }) => host).join(', ')
  if (failed.length === 0) return [ok('client documents', `their hosts answer: ${hosts}`)]
  if (failed.length < tried.length)
    return [
      note(
        'client documents',
        `a host cannot be reached: ${failed.join(', ')}`,
        'Its clients cannot be used for new sign-ins until it answers.',
      ),
    ]
  return [
    fault(
      'client documents',
      `no host can be reached: ${failed.join(', ')}`,
      'The server reads the metadata of clients with requests of its own: let it resolve names and connect to port 443 ' +
        'of public addresses, without an HTTP proxy.',
    ),
  ]
}

/** An answer that is no document shows that the host can be reached. */
const ANSWERS = new Set(['too_large', 'content_encoding'])

async function failureOf(url: string, read: FetchDocument): Promise<string | null> {
  try {
    await read(url, { max_bytes: MAX_BYTES, accept: 'application/json' })
    return null
  } catch (error) {
    const { message } = error as Error
    return ANSWERS.has(message) ? null : message
  }
}
