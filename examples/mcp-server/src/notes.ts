/** The MCP server. It is told who calls, and gets no token. */

import { type AuthInfo, type McpRequestContext, McpServer, requireScopes } from '@modelcontextprotocol/server'
import * as z from 'zod'

const notes: string[] = []

/** A new server for each request. All callers share the notes. */
export function notesServer({ authInfo }: McpRequestContext): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  server.registerTool('list_notes', { description: 'Lists the notes' }, () => text(notes.join('\n')))
  server.registerTool(
    'add_note',
    {
      description: 'Adds a note',
      inputSchema: z.object({ note: z.string().max(1000) }),
      // Checked before the tool runs. A call without one of them is answered with 403 and a challenge that names all of them:
      // the client asks the user for them, and calls again.
      scopeChallenge: requireScopes('notes.read', 'notes.write'),
    },
    ({ note }) => {
      notes.push(note)
      return text('Noted')
    },
  )
  server.registerTool('whoami', { description: 'Shows who calls' }, () =>
    text(JSON.stringify(caller(authInfo))),
  )
  return server
}

/** The user is absent when a client calls for itself. */
const caller = (authInfo?: AuthInfo) => ({
  user: authInfo?.extra?.user,
  client: authInfo?.clientId,
  scopes: authInfo?.scopes,
})
const text = (text: string) => ({ content: [{ type: 'text' as const, text }] })
