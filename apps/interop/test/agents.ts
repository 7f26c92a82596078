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
  name: string
  /** The URL of the MCP server: at first the application knows nothing else. */
  server: string
  redirect_uri: string
  /** Shows the user the authorization request; resolves with the parameters of the redirect. */
  ask(url: URL): Promise<URLSearchParams>
  stored: ClientState
  /** Where the application publishes its Client ID Metadata Document. Without it, the application registers itself. */
  client_metadata_url?: string
  /** The key that its tokens are bound to, and the nonces of the servers. */
  dpop?: v2.DpopSession
}

export interface Agent {
  /** Connects without tokens: the user has to sign in. */
  signIn(): Promise<void>
  connect(): Promise<void>
  call(tool: string, args?: Record<string, unknown>): Promise<unknown>
  addNote(note: string): Promise<unknown>
  /** Adds a note when the token lacks a scope for it: the user is asked for more. */
  addNoteWithMoreScopes(note: string): Promise<unknown>
  close(): Promise<void>
}

/** The interface is the same in both SDKs. */
function authProvider(application: Application): v2.OAuthClientProvider {
  const { name, stored, redirect_uri, ask, client_metadata_url, dpop } = application
  const keep = (more: Partial<ClientState>) => void Object.assign(stored, more)
  return {
    redirectUrl: redirect_uri,
    ...(client_metadata_url !== undefined && { clientMetadataUrl: client_metadata_url }),
    ...(dpop && { dpop: () => dpop }),
    clientMetadata: { client_name: name, redirect_uris: [redirect_uri] },
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
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(application.server), {
      authProvider: authProvider(application),
    })
  let transport = newTransport()
  const connect = async () => {
    transport = newTransport()
    await client.connect(transport)
  }
  const continueWithAnswer = () => transport.finishAuth(answerOf(application).get('code') ?? '')
  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args })
  const addNote = (note: string) => call('add_note', { note })
  return {
    async signIn() {
      await expect(connect()).rejects.toThrow(UnauthorizedError)
      await continueWithAnswer()
      await connect()
    },
    connect,
    call,
    addNote,
    async addNoteWithMoreScopes(note) {
      // This SDK refreshes when it has a refresh token, which cannot add a scope. The application drops it and connects again.
      await expect(addNote(note)).rejects.toThrow('Server returned 403 after trying upscoping')
      delete application.stored.tokens?.refresh_token
      await client.close()
      await connect()
      await expect(addNote(note)).rejects.toThrow(UnauthorizedError)
      await continueWithAnswer()
      return addNote(note)
    },
    close: () => client.close(),
  }
}

/** `@modelcontextprotocol/client` 2.x. It also checks `iss` (RFC 9207). */
export function sdk2(application: Application): Agent {
  const client = new v2.Client(INFO)
  const newTransport = () =>
    new v2.StreamableHTTPClientTransport(new URL(application.server), {
      authProvider: authProvider(application),
    })
  let transport = newTransport()
  const connect = async () => {
    transport = newTransport()
    await client.connect(transport)
  }
  const continueWithAnswer = () => transport.finishAuth(answerOf(application))
  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args })
  const addNote = (note: string) => call('add_note', { note })
  return {
    async signIn() {
      await expect(connect()).rejects.toThrow(v2.UnauthorizedError)
      await continueWithAnswer()
      await connect()
    },
    connect,
    call,
    addNote,
    async addNoteWithMoreScopes(note) {
      await expect(addNote(note)).rejects.toThrow(v2.UnauthorizedError)
      await continueWithAnswer()
      return addNote(note)
    },
    close: () => client.close(),
  }
}

/** A program without a user: `@modelcontextprotocol/client` 2.x with one of its providers for machines. @returns What the tool says. */
export async function callAsMachine(
  server: string,
  authProvider: v2.OAuthClientProvider,
  tool: string,
): Promise<unknown> {
  const client = new v2.Client(INFO)
  await client.connect(new v2.StreamableHTTPClientTransport(new URL(server), { authProvider }))
  const answer = await client.callTool({ name: tool, arguments: {} })
  await client.close()
  return answer
}
