/** The keys `oidc.clients.*`. */

import * as z from 'zod'
import { FEATURE_CLIENT_SETTINGS } from '../features/declarations.js'
import { isPrivateUseScheme } from '../util/private-use-scheme.js'
import { assignment, group } from './values.js'

const hostPattern = z
  .string()
  .regex(/^(?:\*|(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/, 'a host in lower case, *.example.com, or *')

export const clientSettings = group('What clients may do', {
  registration: group('Dynamic client registration (RFC 7591)', {
    enabled: z.boolean().default(false).describe('Clients may register themselves (RFC 7591)'),
    allowed_redirect_schemes: z
      .array(z.string().regex(/^[a-z][a-z0-9+.-]*$/, 'a scheme in lower case, without the colon'))
      .default([])
      .describe('Schemes besides http and https that a client may register, or name in its document'),
    allowed_private_use_schemes: z
      .array(
        z
          .string()
          .refine(
            isPrivateUseScheme,
            'a scheme in lower case with a dot, such as com.example.app, without the colon',
          ),
      )
      .default([])
      .describe(
        'Schemes of apps whose redirect URIs have no host, such as com.example.app:/callback (RFC 8252)',
      ),
    allowed_redirect_domains: z
      .array(z.string().min(1))
      .default(['*'])
      .describe('Exact hosts that a client may register, or name in its document; * is any'),
    reuse: z
      .boolean()
      .default(false)
      .describe('A public client that registers the same metadata again gets the same client_id'),
    unused_lifetime: z
      .number()
      .int()
      .nonnegative()
      .default(86_400)
      .describe(
        'Seconds after which a client that registered itself and was never used is deleted; 0: never',
      ),
  }),
  metadata_documents: group(
    'Clients whose client_id is the URL of their metadata (Client ID Metadata Documents)',
    {
      enabled: z
        .boolean()
        .default(false)
        .describe('A client_id may be the https URL of the metadata of the client'),
      allowed_hosts: z
        .array(hostPattern)
        .default(['*'])
        .describe('Hosts of these URLs: exact, or *.example.com for every host below it; * is any'),
    },
  ),
  private_key_jwt: z
    .boolean()
    .optional()
    .describe(
      'Clients may authenticate with a signed assertion (RFC 7523); when absent, the value of metadata_documents.enabled',
    ),
  default_scopes: z
    .array(assignment.refine((entry) => entry !== '*', '* belongs in optional_scopes only'))
    .default([])
    .describe('Scopes that every request has. An entry is a scope, or "<resource> <scope>"'),
  optional_scopes: z
    .array(assignment)
    .default(['*'])
    .describe('Scopes that a request may name; * is every scope that the named resource, or the realm, owns'),
  default_resource: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The resource of authorization and client_credentials requests that name none, of clients without one of their own: a key of oidc.resources, or its URI',
    ),
  ...FEATURE_CLIENT_SETTINGS,
})
