/** Applications built on the two official MCP clients, as their documentation shows. */

import * as v2 from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect } from 'vitest'

/** What an application stores for the SDK. */
export interface ClientState {
  client?: v2.StoredOAuthClientInformation
  tokens?: v2.StoredOAuthTokens
  verifier?: string
  discovery?: v2.OAuthDiscoveryState
  /** The parameters that came back to the redirect URI. */
  answer?: URLSearchParams
}

export interface Application {
  /** The URL of the MCP server: at first the application knows nothing else. */
  server: string
  redirect_uri: string
  /** Shows the user the authorization request; resolves with the parameters of the redirect. */
  ask(url: URL): Promise<URLSearchParams>
  stored: ClientState
}

export interface Agent {
  /** Connects without tokens: the user has to sign in. */
  signIn(): Promise<void>
  connect(): Promise<void>
  addNote(note: string): Promise<unknown>
  close(): Promise<void>
}

/** The interface is the same in both SDKs. */
function authProvider({ stored, redirect_uri, ask }: Application): v2.OAuthClientProvider {
  const keep = (more: Partial<ClientState>) => void Object.assign(stored, more)
  return {
    redirectUrl: redirect_uri,
    clientMetadata: { client_name: 'Notes agent', redirect_uris: [redirect_uri] },
    clientInformation: () => stored.client,
    saveClientInformation: (client) => keep({ client }),
    tokens: () => stored.tokens,
    saveTokens: (tokens) => keep({ tokens }),
    codeVerifier: () => stored.verifier ?? '',
    saveCodeVerifier: (verifier) => keep({ verifier }),
    discoveryState: () => stored.discovery,
    saveDiscoveryState: (discovery) => keep({ discovery }),
    state: () => 'the state',
    redirectToAuthorization: async (url) => keep({ answer: await ask(url) }),
  }
}

const INFO = { name: 'notes-agent', version: '1.0.0' }
const answerOf = ({ stored }: Application): URLSearchParams => stored.answer ?? new URLSearchParams()

/** `@modelcontextprotocol/sdk` 1.x. */
export function sdk1(application: Application): Agent {
  const client = new Client(INFO)
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(application.server), {
      authProvider: authProvider(application),
    })
  return {
    async signIn() {
      const first = transport()
      await expect(client.connect(first)).rejects.toThrow(UnauthorizedError)
      await first.finishAuth(answerOf(application).get('code') ?? '')
      await client.connect(transport())
    },
    connect: () => client.connect(transport()),
    addNote: (note) => client.callTool({ name: 'add_note', arguments: { note } }),
    close: () => client.close(),
  }
}

/** `@modelcontextprotocol/client` 2.x. It also checks `iss` (RFC 9207). */
export function sdk2(application: Application): Agent {
  const client = new v2.Client(INFO)
  const transport = () =>
    new v2.StreamableHTTPClientTransport(new URL(application.server), {
      authProvider: authProvider(application),
    })
  return {
    async signIn() {
      const first = transport()
      await expect(client.connect(first)).rejects.toThrow(v2.UnauthorizedError)
      await first.finishAuth(answerOf(application))
      await client.connect(transport())
    },
    connect: () => client.connect(transport()),
    addNote: (note) => client.callTool({ name: 'add_note', arguments: { note } }),
    close: () => client.close(),
  }
}
