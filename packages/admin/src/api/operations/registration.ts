/** What clients may do by themselves in a realm: register, and describe themselves in a document at their URL. */

import type { Realm } from '@ostiary/core'
import * as z from 'zod'
import { operation } from '../operation.js'
import { NULLABLE, TEXTS } from '../schemas.js'
import { CLIENT_READS } from './clients.js'

const settings = z.object({
  registration: z
    .object({
      enabled: z.boolean(),
      registration_endpoint: NULLABLE,
      allowed_redirect_schemes: TEXTS,
      allowed_private_use_schemes: TEXTS,
      allowed_redirect_domains: TEXTS,
      reuse: z.boolean(),
      unused_lifetime: z.int().describe('Seconds; 0: never'),
      register: z.int().describe('Registrations a minute and address'),
      registrations_per_day: z.int(),
    })
    .describe('Dynamic registration (RFC 7591): oidc.clients.registration, and its limits of oidc.throttle'),
  metadata_documents: z
    .object({ enabled: z.boolean(), allowed_hosts: TEXTS })
    .describe('oidc.clients.metadata_documents'),
})

/** The schema names each member: one that is new is not shown by itself. */
const shown = ({ settings: { clients, throttle }, urls }: Realm) =>
  settings.parse({
    ...clients,
    registration: {
      ...throttle,
      ...clients.registration,
      registration_endpoint: clients.registration.enabled ? urls.registration_endpoint : null,
    },
  })

export const REGISTRATION = [
  operation({
    id: 'registration.get',
    ...CLIENT_READS,
    path: '/registration',
    summary: 'What the configuration lets clients do by themselves',
    answers: { 200: settings },
    run: async (call) => ({ body: shown((await call.parts()).realm) }),
  }),
]
