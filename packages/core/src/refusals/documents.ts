/** The catalog: why the document of a client, or the keys at its jwks_uri, cannot be used. */

import type { DocumentReason } from './document-error.js'

/** What to do, by the reason of a `DocumentError`. */
export const DOCUMENT_HINTS: Readonly<Record<DocumentReason, string>> = {
  invalid_url:
    'The client_id is not a URL that is read: it needs https, a host with a domain, a path, and no query, fragment or user-info. For development, an issuer on this computer permits names below localhost, such as https://app.localhost/client.',
  host_not_allowed: 'Add the host to oidc.clients.metadata_documents.allowed_hosts, or create the client.',
  address_not_public:
    'The host has an address in a private network: publish the document on the internet. For development, an issuer on this computer permits hosts on it.',
  unreachable: 'The host does not answer: check its name, its port and its certificate.',
  timeout: 'The host gave no complete answer within 5 seconds.',
  redirected: 'The URL answers with a redirect, which is not followed: use the final URL.',
  not_found: 'There is no document at the URL: publish it there, or correct the URL.',
  http_error: 'The host answers with another status than 200: look at its own log.',
  encoded: 'Send the document without a Content-Encoding.',
  too_large: 'The document has more than 5,120 bytes: shorten it.',
  not_json: 'Send one JSON object in UTF-8, with no member twice and with Content-Type application/json.',
  client_id_differs:
    'The client_id in the document is not the URL of the document: they are compared character by character.',
  invalid_metadata: 'A member of the document has the wrong type, or client_name is not usable: correct it.',
  invalid_redirect_uri:
    'The redirect_uris of the document are not usable here: correct them, or permit them with allowed_redirect_domains or allowed_redirect_schemes.',
  invalid_keys:
    'jwks is a set of at most 10 public keys, or jwks_uri an https URL: correct it. A private key in it has leaked.',
  contains_secret: 'Remove client_secret from the document: everybody can read it there.',
  unsupported_auth_method:
    'Name none as token_endpoint_auth_method, or private_key_jwt with keys where oidc.clients.private_key_jwt is on.',
  unsupported_grant_type: 'Add authorization_code to grant_types, and code to response_types.',
}
