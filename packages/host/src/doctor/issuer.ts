import { memoryStorage } from '@ostiary/core/memory'
import { memoryUsers } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { bareProvider } from '../management/manage.js'
import { type Check, codeOf, fault, messageOf, ok } from './check.js'

/** So many realms are asked; a proxy that leads one of them astray leads all. */
const REALMS = 10
const TIMEOUT = 5000
const MAX_BODY = 100_000

/** Asks for the discovery document at the address where clients will. */
export async function checkIssuer(config: HostConfig): Promise<Check[]> {
  const provider = bareProvider(config, { storage: memoryStorage(), users: memoryUsers() })
  const realms = realmIds(config).slice(0, REALMS)
  return Promise.all(
    realms.map((realm) => {
      const url = provider.url('oidc.discovery', { realm })
      return ask(url, url.slice(0, -'/.well-known/openid-configuration'.length))
    }),
  )
}

async function ask(url: string, issuer: string): Promise<Check> {
  const PROXY = 'See that the proxy in front leads every path to this server, unchanged.'
  let response: Response
  let text: string
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) })
    text = (await response.text()).slice(0, MAX_BODY)
  } catch (error) {
    return unreachable(url, error)
  }
  if (response.status !== 200) return fault('issuer', `${url} answers with ${response.status}`, PROXY)
  const found = issuerIn(text)
  if (found === null)
    return fault('issuer', `${url} answers with something else than a discovery document`, PROXY)
  if (found === issuer) return ok('issuer', `${issuer} answers as it should`)
  return fault(
    'issuer',
    `${url} answers for another issuer, ${found.slice(0, 200)}`,
    'Another server is there, or this one runs with another configuration: set OIDC_ISSUER alike everywhere, and start it anew.',
  )
}

function unreachable(url: string, error: unknown): Check {
  const code = codeOf(error)
  if (error instanceof Error && error.name === 'TimeoutError')
    return fault(
      'issuer',
      `${url} does not answer within ${TIMEOUT / 1000} s`,
      'Look at the proxy, and at the server behind it.',
    )
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fault(
      'issuer',
      `the name of ${url} is not known here`,
      'Set its DNS record, or correct OIDC_ISSUER.',
    )
  if (/CERT|SSL|TLS|ALTNAME|SELF_SIGNED|UNABLE_TO/.test(code))
    return fault(
      'issuer',
      `the certificate of ${url} is not accepted (${code})`,
      'Renew or correct it at the proxy.',
    )
  return fault(
    'issuer',
    `${url} cannot be reached (${code || messageOf(error)})`,
    'Start the server, and see that the proxy leads there; before the first start, use --offline.',
  )
}

function issuerIn(text: string): string | null {
  try {
    const { issuer } = JSON.parse(text) as { issuer?: unknown }
    return typeof issuer === 'string' ? issuer : null
  } catch {
    return null
  }
}
