/** The terms of service of a realm. */

import type { ConfigFault } from '@ostiary/core'

/** The terms of service that users of a realm accept. */
export interface TermsSettings {
  /** The name of the version, such as a date: up to 64 characters. Who has accepted another one is asked again. */
  version: string
  /** Where the terms are: an https URL, or a path of the server's origin. */
  url: string
  /** Where the privacy notice is, which users are shown and do not accept. */
  privacy_url?: string
}

const MAX_VERSION_CHARACTERS = 64
const MAX_URL_CHARACTERS = 2048

/** What is wrong with the settings; the paths are those of `TermsSettings`. */
export function termsFaults(settings: TermsSettings): ConfigFault[] {
  const { version, url, privacy_url, ...others } = settings
  const fault = (path: string, message: string): ConfigFault[] => [{ path, message }]
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    return fault(unknown, 'there is no such setting: there are version, url and privacy_url')
  const badUrl = (path: string, value: string): ConfigFault[] =>
    isAddress(value)
      ? []
      : fault(
          path,
          `give an https URL, or a path of this origin that starts with a single /, of at most ${MAX_URL_CHARACTERS} characters`,
        )
  return [
    ...(isVersion(version)
      ? []
      : fault(
          'version',
          `give 1 to ${MAX_VERSION_CHARACTERS} characters without a space at either end and without control characters, such as "2026-11-01"`,
        )),
    ...badUrl('url', url),
    ...(privacy_url === undefined ? [] : badUrl('privacy_url', privacy_url)),
  ]
}

const isVersion = (value: unknown): boolean =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= MAX_VERSION_CHARACTERS &&
  value.trim() === value &&
  !/\p{C}/u.test(value)

/** As the links of a theme: no other scheme, and no other host by `//` or a backslash. */
function isAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_URL_CHARACTERS) return false
  if (/^\/[\x21-\x5b\x5d-\x7e]*$/.test(value)) return !value.startsWith('//')
  return URL.canParse(value) && new URL(value).protocol === 'https:'
}
