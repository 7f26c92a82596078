/** An authenticator that Chromium simulates, over the domain WebAuthn of the DevTools protocol. */

import type { CDPSession, Page } from 'playwright-core'

export interface AuthenticatorOptions {
  /** `internal`: of the device. `usb`: a security key. `internal` by default. */
  transport?: 'internal' | 'usb'
  /** Whether it can verify its user; true by default. */
  verifies?: boolean
  /** Whether a verification succeeds; true by default. */
  verified?: boolean
  /** Whether its passkeys are copied to other devices (BE and BS); false by default. */
  synced?: boolean
  /** Whether its user touches it as soon as a page asks; true by default. Otherwise a request waits. */
  present?: boolean
}

export interface StoredCredential {
  credentialId: string
  isResidentCredential: boolean
  rpId?: string
  privateKey: string
  userHandle?: string
  signCount: number
  backupEligibility?: boolean
  backupState?: boolean
  userName?: string
  userDisplayName?: string
}

export interface VirtualAuthenticator {
  credentials(): Promise<StoredCredential[]>
  /** Puts a credential of another authenticator here. */
  add(credential: StoredCredential): Promise<void>
  /** Takes a credential away, as a user does who deletes it. */
  forget(credentialId: string): Promise<void>
  /** Whether the next verifications succeed. */
  verify(succeeds: boolean): Promise<void>
  /** Whether the user touches it as soon as a page asks. */
  attend(present: boolean): Promise<void>
  /** Takes it away: a page finds no authenticator, or another one. */
  remove(): Promise<void>
}

/** The authenticator belongs to the page, and ends with it. */
export async function virtualAuthenticator(
  page: Page,
  options: AuthenticatorOptions = {},
): Promise<VirtualAuthenticator> {
  const { transport = 'internal', verifies = true, verified = true, synced = false, present = true } = options
  const cdp = await webAuthnOf(page)
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: true,
      hasUserVerification: verifies,
      isUserVerified: verified,
      automaticPresenceSimulation: present,
      defaultBackupEligibility: synced,
      defaultBackupState: synced,
    },
  })
  return {
    credentials: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials as StoredCredential[],
    add: async (credential) =>
      void (await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })),
    forget: async (credentialId) =>
      void (await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId })),
    verify: async (isUserVerified) =>
      void (await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    attend: async (enabled) =>
      void (await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    remove: async () => void (await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })),
  }
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** One session for each page: a second one would begin an environment of its own, without the authenticators of the first. */
function webAuthnOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? begin(page)
  sessions.set(page, known)
  return known
}

async function begin(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  return cdp
}
