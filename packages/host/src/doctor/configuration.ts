import { formatConfigFault } from '@ostiary/core'
import { signInSettings } from '@ostiary/identity'
import { DEFAULT_REALM } from '../config/entries.js'
import type { HostConfig } from '../config/host-config.js'
import { NO_CONFIGURATION } from '../config/try-out.js'
import { buttonContrasts } from '../server/icon.js'
import { hasOtherPort } from '../server/other-port.js'
import { type Finding, fault, note, ok } from './finding.js'
import { plainRedirect, USE_HTTPS } from './plain-redirects.js'

const MIN_CLIENT_SECRET_LENGTH = 32
/** WCAG 2.2, 1.4.3. */
const MIN_CONTRAST = 4.5
/** A shorter prefix contains addresses of many networks: no proxies of one operator. */
const MIN_PROXY_PREFIX = { ipv4: 8, ipv6: 16 }

/** Checks settings that are valid, and probably not what the operator wants. */
export function checkConfiguration(config: HostConfig): Finding[] {
  const { file, try_out } = config
  const source = file ?? (try_out ? 'no file: try-out mode' : 'from variables only')
  return [
    ok('configuration', `is valid (${source})`),
    ...missingFile(config),
    ...unusedAppUrl(config),
    ...shortSecrets(config),
    ...unsetPasswords(config),
    ...plainRedirects(config),
    ...apiClients(config),
    ...proxies(config),
    ...otherPort(config),
    ...passkeys(config),
    ...faintButtons(config),
    ...missingConsole(config),
  ]
}

const missingConsole = ({ admin_console_fault: found }: HostConfig): Finding[] =>
  found === undefined
    ? []
    : [
        noted(
          `administrators have no pages: ${formatConfigFault(found)}`,
          'Set admin.console to false, or correct the fault.',
        ),
      ]

const noted = (found: string, advice: string): Finding => note('configuration', found, advice)

/** A variable may replace the issuer of a file, so this is no fault. */
const unusedAppUrl = ({ app_url, oidc, issuer }: HostConfig): Finding[] =>
  app_url !== undefined && oidc.issuer !== undefined && app_url.replace(/\/$/, '') !== issuer
    ? [noted(`app.url has no effect: the issuer is ${issuer}`, 'Give one of app.url and oidc.issuer.')]
    : []

/** Most likely the folder or the environment of the service is not the one of this command. */
const missingFile = ({ try_out }: HostConfig): Finding[] =>
  try_out?.stored === false
    ? [
        noted(
          `${NO_CONFIGURATION}: only the defaults were checked`,
          'If a server has a configuration, run doctor with its folder and variables (docs/run-it.md).',
        ),
      ]
    : []

const clientsOf = ({ realms }: HostConfig) => Object.values(realms).flatMap(({ clients }) => clients)

const shortSecrets = (config: HostConfig): Finding[] =>
  clientsOf(config)
    .filter(({ client_secret }) => (client_secret?.length ?? Infinity) < MIN_CLIENT_SECRET_LENGTH)
    .map(({ path }) => noted(`${path}: the client_secret is short`, 'Use 32 random characters or more.'))

const unsetPasswords = ({ realms }: HostConfig): Finding[] =>
  Object.values(realms)
    .flatMap(({ users }) => users)
    .flatMap(({ path, unset_variable }) =>
      unset_variable === undefined
        ? []
        : noted(
            `${path}.password_env: the variable ${unset_variable} is not set`,
            'A server starts without it only if the user has a password already.',
          ),
    )

const plainRedirects = (config: HostConfig): Finding[] =>
  clientsOf(config).flatMap(({ path, metadata }) =>
    metadata.redirect_uris.flatMap((uri, index) => {
      const plain = plainRedirect(uri)
      return plain === null ? [] : noted(`${path}.redirect_uris.${index}: ${plain}`, USE_HTTPS)
    }),
  )

const ROOT_CLIENTS = noted(
  'oidc.resources: the clients of "" may introspect and exchange every token that names no resource, of every client',
  'Give the API a resource of its own, and name its clients there.',
)

/** A client may also be made by a command, so this is no fault: until it exists, the entry has no effect. */
function apiClients({ oidc, realms }: HostConfig): Finding[] {
  const ids = oidc.routes?.realms === 'path' ? Object.keys(oidc.realms ?? {}) : [DEFAULT_REALM]
  return ids.flatMap((id) => {
    const known = new Set(realms[id]?.clients.map(({ metadata }) => metadata.client_id))
    const resources = Object.entries(oidc.realms?.[id]?.resources ?? oidc.resources ?? {})
    return resources.flatMap(([key, { clients = [] }]) => [
      ...(key === '' && clients.length > 0 ? [ROOT_CLIENTS] : []),
      ...clients
        .filter((client_id) => !known.has(client_id))
        .map((client_id) =>
          noted(
            `oidc.resources: ${JSON.stringify(client_id)} in clients of ${JSON.stringify(key)} is not a client of the configuration`,
            'Create it with a secret (client create --confidential), or correct the name: until then it has no effect.',
          ),
        ),
    ])
  })
}

function proxies({ issuer, trusted_proxies }: HostConfig): Finding[] {
  const findings = trusted_proxies
    .filter(isTooWide)
    .map((range) =>
      fault(
        'configuration',
        `trusted_proxies: ${range} trusts clients too: each can choose its address in X-Forwarded-For, and avoid the limits per address`,
        'Name only the addresses of your proxies.',
      ),
    )
  if (issuer.startsWith('https:') && trusted_proxies.length === 0)
    findings.push(
      noted(
        'trusted_proxies is empty: behind a proxy all users have its address, and share its limits',
        'Set it to the addresses of your proxies.',
      ),
    )
  return findings
}

function isTooWide(range: string): boolean {
  const [address = '', prefix] = range.split('/')
  const least = address.includes(':') ? MIN_PROXY_PREFIX.ipv6 : MIN_PROXY_PREFIX.ipv4
  return prefix !== undefined && Number(prefix) < least
}

const otherPort = (config: HostConfig): Finding[] =>
  hasOtherPort(config)
    ? [
        noted(
          `clients and browsers use ${config.issuer}, and the server listens on port ${config.port}`,
          'Set PORT or the issuer (app.url), unless another program forwards the port.',
        ),
      ]
    : []

/** Browsers have no passkeys for an address: they are off there, unless the configuration says so. */
const passkeys = ({ issuer, realms }: HostConfig): Finding[] =>
  Object.values(realms).some(
    ({ identity }) =>
      identity.passkeys?.enabled === undefined && !signInSettings({ issuer }, identity).passkeys,
  )
    ? [
        noted(
          `there are no passkeys: browsers have none for an IP address, and the issuer is ${issuer}`,
          'Use a host name in app.url, or set identity.passkeys.enabled to false.',
        ),
      ]
    : []

/** One color for both schemes is too faint in one of them. */
const faintButtons = ({ theme = {} }: HostConfig): Finding[] =>
  Object.entries(buttonContrasts(theme))
    .filter(([, contrast]) => contrast < MIN_CONTRAST)
    .map(([scheme, contrast]) =>
      noted(
        `theme: button text has a contrast of ${Math.floor(contrast * 10) / 10} to 1 in the ${scheme} scheme`,
        `It needs ${MIN_CONTRAST}: set --ostiary-accent in variables and dark_variables.`,
      ),
    )
