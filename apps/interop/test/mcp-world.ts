/** The example MCP server and the provider in front of it, with a user who has a browser. */

import { answerAt, launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { type DocumentServer, documentServer } from '@ostiary/test-kit/document-server'
import { type Callback, callbackServer } from '@ostiary/test-kit/server'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import type { Application, ClientState } from './agents.ts'
import { type Examples, startExamples } from './examples.ts'

/** Where applications of the tests publish their metadata documents. */
const DOCUMENT_HOST = 'notes-agent.localhost'

/** A client of the provider, which authenticates with its key and has no user. */
export const ROBOT = 'robot'

/** Its user allows each request. */
export interface TestApplication extends Application {
  /** The scopes of each request that the user was asked about. */
  asked: string[]
}

export interface McpWorld {
  examples: Examples
  /** The URL of the MCP server. */
  server: string
  browser: Browser
  callback: Callback
  documents: DocumentServer
  /** The private key of the client `ROBOT`, for ES256. */
  robot_key: JWK
  /** An application that registers itself. Its user has a separate browser. */
  application(stored?: ClientState): TestApplication
  /** An application that publishes a metadata document. */
  published(stored?: ClientState): TestApplication
  /** Events of the provider that concern the client of an application. */
  events(type: string, of: ClientState): Record<string, unknown>[]
  stop(): Promise<void>
}

/** @param env Settings of the provider, which choose its storage. */
export async function startMcpWorld(env: Record<string, string> = {}): Promise<McpWorld> {
  const documents = await documentServer([DOCUMENT_HOST])
  const callback = await callbackServer()
  const browser = await launchBrowser()
  const robot = await generateKeyPair('ES256', { extractable: true })
  const jwks = { keys: [{ ...(await exportJWK(robot.publicKey)), alg: 'ES256', kid: 'robot' }] }
  const examples = await startExamples(['mcp-server'], {
    env,
    documents_of: documents,
    clients: [{ client_id: ROBOT, grant_types: ['client_credentials'], jwks }],
  })
  const server = examples.get('mcp-server').url
  const robot_key = await exportJWK(robot.privateKey)
  let applications = 0

  function application(stored: ClientState = {}): TestApplication {
    const name = `Notes agent ${++applications}`
    const asked: string[] = []
    return {
      name,
      server,
      redirect_uri: callback.url,
      stored,
      asked,
      async ask(url) {
        asked.push(url.searchParams.get('scope') ?? '')
        const page = await browser.newPage()
        await page.goto(url.href)
        await signIn(page)
        expect(await page.locator('main').textContent()).toContain(name)
        await page.getByRole('button', { name: 'Allow' }).click()
        const answer = await answerAt(page, callback.url)
        await page.close()
        return new URLSearchParams(answer)
      },
    }
  }

  return {
    examples,
    server,
    browser,
    callback,
    documents,
    robot_key,
    application,
    published(stored) {
      const app = application(stored)
      const client_id = documents.url(DOCUMENT_HOST, `/${applications}/client.json`)
      documents.put(client_id, { client_id, client_name: app.name, redirect_uris: [callback.url] })
      return { ...app, client_metadata_url: client_id }
    },
    events: (type, { client }) =>
      examples.provider.logged(type).filter(({ client_id }) => client_id === client?.client_id),
    async stop() {
      await browser.close()
      await examples.stop()
      await callback.close()
      await documents.close()
    },
  }
}
