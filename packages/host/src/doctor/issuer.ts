import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { codeOf, type Finding, fault, messageOf, ok } from './finding.js'
import { originOf } from './port.js'
import { emptyProvider } from './realm-settings.js'

/** A proxy that serves one realm wrongly mostly serves all wrongly. */
const MAX_REALMS = 10
const TIMEOUT_MS = 5000
const MAX_BODY_CHARACTERS = 100_000

const PROXY_ADVICE = 'Configure the proxy to forward every path to this server, unchanged.'
const WAIT_ADVICE =
  'Wait a few seconds, and run doctor again. The check of a part that stays down says what to do.'

/** Requests the discovery document of each realm, as a client does. */
export async function checkIssuer(config: HostConfig): Promise<Finding[]> {
  const provider = emptyProvider(config)
  const realms = realmIds(config).slice(0, MAX_REALMS)
  const here = originOf(config.port, config.host)
  return Promise.all(
    realms.map((realm) => {
      const url = provider.url('oidc.discovery', { realm })
      return checkDiscovery(url, { issuer: url.slice(0, -'/.well-known/openid-configuration'.length), here })
    }),
  )
}

interface Expected {
  issuer: string
  /** The origin at which the server of this machine listens. */
  here: string
}

async function checkDiscovery(url: string, { issuer, here }: Expected): Promise<Finding> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    text = (await response.text()).slice(0, MAX_BODY_CHARACTERS)
  } catch (error) {
    return unreachable(url, error)
  }
  if (response.status !== 200) {
    const answer = `${url} answers with status ${response.status}`
    const awaited = (await whatIsAwaited(new URL(url).origin)) ?? (await whatIsAwaited(here))
    if (awaited === null) return fault('issuer', answer, PROXY_ADVICE)
    return fault('issuer', `${answer}, because the server is not ready yet (${awaited})`, WAIT_ADVICE)
  }
  const actual = issuerIn(text)
  if (actual === null)
    return fault('issuer', `${url} answers, but not with a discovery document`, PROXY_ADVICE)
  if (actual === issuer) return ok('issuer', `${issuer} answers with its discovery document`)
  return fault(
    'issuer',
    `${url} answers for another issuer, ${actual.slice(0, 200)}`,
    'Another server runs there, or this one with another configuration: set the same OIDC_ISSUER in both, and restart it.',
  )
}

/** What /readyz of a server names that is not ready yet. Null where no such server answers, and for one that is ready. */
async function whatIsAwaited(origin: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/readyz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { status, degraded: _, ...parts } = JSON.parse(await response.text()) as Record<string, unknown>
    if (response.status !== 503 || !WAITING.includes(status)) return null
    const named = Object.entries(parts).filter(([, state]) => state !== 'ok')
    // The text of a program that may be another one.
    const text = [['status', status], ...named].map((pair) => pair.join(': ')).join(', ')
    return text.replace(/[^ -~]/g, '').slice(0, 200)
  } catch {
    return null
  }
}

const WAITING: readonly unknown[] = ['starting', 'stopping', 'unavailable']

function unreachable(url: string, error: unknown): Finding {
  const code = codeOf(error)
  if (error instanceof Error && error.name === 'TimeoutError')
    return fault(
      'issuer',
      `${url} does not answer within ${TIMEOUT_MS / 1000} s`,
      'Check the proxy, and the server behind it.',
    )
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fault(
      'issuer',
      `the host name of ${url} cannot be resolved`,
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
    'Start the server, and check that the proxy forwards to it. Before the first start, use --offline.',
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
